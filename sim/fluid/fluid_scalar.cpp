#include "sim/fluid/fluid_simd.h"

namespace mote::sim {

const FluidKernels fluid_kernels_scalar = fluid_simd::kernels<float, double>();

}  // namespace mote::sim
