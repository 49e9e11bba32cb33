#include "sim/space/mesh.h"
#include "tests/fuzz/fuzz_target.h"

namespace mote::fuzz {
namespace {

void read_mesh(const std::string& format, const std::uint8_t* data, std::size_t size) {
  const auto file = file_of("mesh." + format, data, size);
  allow_errors([&] { sim::closed_surface(sim::read_mesh(file), "scene.lua:1"); });
}

const Reader ply("ply", [](const auto* data, auto size) { read_mesh("ply", data, size); });
const Reader obj("obj", [](const auto* data, auto size) { read_mesh("obj", data, size); });
const Reader stl("stl", [](const auto* data, auto size) { read_mesh("stl", data, size); });

}  // namespace
}  // namespace mote::fuzz
