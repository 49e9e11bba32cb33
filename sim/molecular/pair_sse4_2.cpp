#include "sim/molecular/pair_simd.h"

namespace mote::sim {

using Arch = xsimd::sse4_2;
const PairKernels pair_kernels_sse4_2 =
    pair_simd::kernels<xsimd::batch<float, Arch>, xsimd::batch<double, Arch>>();

}  // namespace mote::sim
