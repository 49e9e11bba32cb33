#include "tests/engine/math/number_set_loops.h"

namespace mote::engine {

constinit const NumberSet number_set_avx512 = number_set_of<xsimd::avx512dq>;

}  // namespace mote::engine
