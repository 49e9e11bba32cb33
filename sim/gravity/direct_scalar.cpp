#include "sim/gravity/direct_simd.h"

namespace mote::sim {

const DirectKernels direct_kernels_scalar = direct_simd::kernels<float, double>();

}  // namespace mote::sim
