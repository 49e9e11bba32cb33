#include "sim/io/loaded_snapshot.h"
#include "tests/fuzz/fuzz_target.h"

namespace mote::fuzz {
namespace {

const Reader gadget_reader("gadget", [](const std::uint8_t* data, std::size_t size) {
  const auto file = file_of("bodies.hdf5", data, size);
  allow_errors([&] { sim::read_snapshot(file, engine::unit_system_named("nbody")); });
  allow_errors([&] { sim::load_snapshot(file); });
});

}  // namespace
}  // namespace mote::fuzz
