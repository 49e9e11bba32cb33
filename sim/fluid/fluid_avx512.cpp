#include "sim/fluid/fluid_simd.h"

namespace mote::sim {

using Arch = xsimd::avx512dq;
const FluidKernels fluid_kernels_avx512 =
    fluid_simd::kernels<xsimd::batch<float, Arch>, xsimd::batch<double, Arch>>();

}  // namespace mote::sim
