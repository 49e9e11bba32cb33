#include "tests/engine/math/number_set_loops.h"

namespace mote::engine {

constinit const NumberSet number_set_sse4_2 = number_set_of<xsimd::sse4_2>;

}  // namespace mote::engine
