#include "sim/fluid/fluid_simd.h"

namespace mote::sim {

using Arch = xsimd::fma3<xsimd::avx2>;
const FluidKernels fluid_kernels_avx2 =
    fluid_simd::kernels<xsimd::batch<float, Arch>, xsimd::batch<double, Arch>>();

}  // namespace mote::sim
