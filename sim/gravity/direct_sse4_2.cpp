#include "sim/gravity/direct_simd.h"

namespace mote::sim {

using Arch = xsimd::sse4_2;
const DirectKernels direct_kernels_sse4_2 =
    direct_simd::kernels<xsimd::batch<float, Arch>, xsimd::batch<double, Arch>>();

}  // namespace mote::sim
