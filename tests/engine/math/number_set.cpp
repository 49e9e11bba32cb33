#include "engine/math/simd_level.h"
#include "tests/engine/math/number_set_loops.h"

namespace mote::engine {

constinit const NumberSet MOTE_AT_LEVEL(number_set) = number_set_of<SimdSingle, SimdDouble>;

}  // namespace mote::engine
