#include "sim/molecular/pair_simd.h"

namespace mote::sim {

const PairKernels pair_kernels_scalar = pair_simd::kernels<float, double>();

}  // namespace mote::sim
