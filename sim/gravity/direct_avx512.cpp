#include "sim/gravity/direct_simd.h"

namespace mote::sim {

using Arch = xsimd::avx512dq;
const DirectKernels direct_kernels_avx512 =
    direct_simd::kernels<xsimd::batch<float, Arch>, xsimd::batch<double, Arch>>();

}  // namespace mote::sim
