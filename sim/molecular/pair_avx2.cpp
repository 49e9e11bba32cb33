#include "sim/molecular/pair_simd.h"

namespace mote::sim {

using Arch = xsimd::fma3<xsimd::avx2>;
const PairKernels pair_kernels_avx2 =
    pair_simd::kernels<xsimd::batch<float, Arch>, xsimd::batch<double, Arch>>();

}  // namespace mote::sim
