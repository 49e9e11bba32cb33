#include "sim/io/csv.h"
#include "tests/fuzz/fuzz_target.h"

namespace mote::fuzz {
namespace {

const Reader csv_reader("csv", [](const std::uint8_t* data, std::size_t size) {
  const auto file = file_of("bodies.csv", data, size);
  allow_errors(
      [&] { sim::read_bodies_csv(file, *engine::unit_system_named("solar"), "scene.lua:1"); });
});

}  // namespace
}  // namespace mote::fuzz
