#include "sim/expansions/multipole_simd.h"
#include "engine/math/simd_level.h"

namespace mote::sim {

constinit const MultipoleKernels MOTE_AT_LEVEL(multipole_kernels) =
    multipole_simd::kernels<engine::SimdSingle, engine::SimdDouble>();

}  // namespace mote::sim
