#include "sim/io/tipsy.h"
#include "tests/fuzz/fuzz_target.h"

namespace mote::fuzz {
namespace {

const Reader tipsy_reader("tipsy", [](const std::uint8_t* data, std::size_t size) {
  const auto file = file_of("bodies.tipsy", data, size);
  allow_errors([&] { sim::read_bodies_tipsy(file); });
});

}  // namespace
}  // namespace mote::fuzz
