#include "sim/molecular/pair_simd.h"
#include "engine/math/simd_level.h"

namespace mote::sim {

constinit const PairKernels MOTE_AT_LEVEL(pair_kernels) =
    pair_simd::kernels<engine::SimdSingle, engine::SimdDouble>();

}  // namespace mote::sim
