#include "sim/io/xyz_read.h"
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mote;
  const auto file = fuzz::file_of("bodies.xyz", data, size);
  fuzz::allow_errors([&] {
    sim::read_bodies_xyz(file, {.mass = 1, .species = {"A", "B"}}, "scene.lua:1");
  });
  fuzz::allow_errors([&] { sim::read_xyz_box(file, "scene.lua:1"); });
  return 0;
}
