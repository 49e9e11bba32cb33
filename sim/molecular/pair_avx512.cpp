#include "sim/molecular/pair_simd.h"

namespace mote::sim {

using Arch = xsimd::avx512dq;
const PairKernels pair_kernels_avx512 =
    pair_simd::kernels<xsimd::batch<float, Arch>, xsimd::batch<double, Arch>>();

}  // namespace mote::sim
