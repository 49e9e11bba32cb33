#include "sim/output/checkpoint.h"
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mote;
  const auto file = fuzz::file_of("checkpoint.h5", data, size);
  fuzz::allow_errors([&] { sim::read_checkpoint(file); });
  return 0;
}
