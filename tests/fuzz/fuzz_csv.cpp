#include "sim/io/csv.h"
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mote;
  const auto file = fuzz::file_of("bodies.csv", data, size);
  fuzz::allow_errors(
      [&] { sim::read_bodies_csv(file, *engine::unit_system_named("solar"), "scene.lua:1"); });
  return 0;
}
