#include "sim/io/loaded_snapshot.h"
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mote;
  const auto file = fuzz::file_of("bodies.hdf5", data, size);
  fuzz::allow_errors([&] { sim::read_snapshot(file, engine::unit_system_named("nbody")); });
  fuzz::allow_errors([&] { sim::load_snapshot(file); });
  return 0;
}
