#include "sim/gravity/direct_simd.h"

namespace mote::sim {

using Arch = xsimd::fma3<xsimd::avx2>;
const DirectKernels direct_kernels_avx2 =
    direct_simd::kernels<xsimd::batch<float, Arch>, xsimd::batch<double, Arch>>();

}  // namespace mote::sim
