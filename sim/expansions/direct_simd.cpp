#include "sim/expansions/direct_simd.h"
#include "engine/math/simd_level.h"

namespace mote::sim {

constinit const DirectKernels MOTE_AT_LEVEL(direct_kernels) =
    direct_simd::kernels<engine::SimdSingle, engine::SimdDouble>();

}  // namespace mote::sim
