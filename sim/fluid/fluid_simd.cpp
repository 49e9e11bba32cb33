#include "sim/fluid/fluid_simd.h"
#include "engine/math/simd_level.h"

namespace mote::sim {

constinit const FluidKernels MOTE_AT_LEVEL(fluid_kernels) =
    fluid_simd::kernels<engine::SimdSingle, engine::SimdDouble>();

}  // namespace mote::sim
