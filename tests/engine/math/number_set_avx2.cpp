#include "tests/engine/math/number_set_loops.h"

namespace mote::engine {

constinit const NumberSet number_set_avx2 = number_set_of<xsimd::fma3<xsimd::avx2>>;

}  // namespace mote::engine
