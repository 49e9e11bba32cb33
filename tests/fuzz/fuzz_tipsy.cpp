#include "sim/io/tipsy.h"
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mote;
  const auto file = fuzz::file_of("bodies.tipsy", data, size);
  fuzz::allow_errors([&] { sim::read_bodies_tipsy(file); });
  return 0;
}
