#include "sim/fluid/fluid_simd.h"

namespace mote::sim {

using Arch = xsimd::sse4_2;
const FluidKernels fluid_kernels_sse4_2 =
    fluid_simd::kernels<xsimd::batch<float, Arch>, xsimd::batch<double, Arch>>();

}  // namespace mote::sim
