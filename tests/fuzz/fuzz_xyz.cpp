#include "sim/io/xyz_read.h"
#include "tests/fuzz/fuzz_target.h"

namespace mote::fuzz {
namespace {

const Reader xyz_reader("xyz", [](const std::uint8_t* data, std::size_t size) {
  const auto file = file_of("bodies.xyz", data, size);
  allow_errors([&] {
    sim::read_bodies_xyz(file, {.mass = 1, .species = {"A", "B"}}, "scene.lua:1");
  });
  allow_errors([&] { sim::read_xyz_box(file, "scene.lua:1"); });
});

}  // namespace
}  // namespace mote::fuzz
