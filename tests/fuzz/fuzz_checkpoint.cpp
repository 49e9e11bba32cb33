#include "sim/output/checkpoint.h"
#include "tests/fuzz/fuzz_target.h"

namespace mote::fuzz {
namespace {

const Reader checkpoint_reader("checkpoint", [](const std::uint8_t* data, std::size_t size) {
  const auto file = file_of("checkpoint.h5", data, size);
  allow_errors([&] { sim::read_checkpoint(file); });
});

}  // namespace
}  // namespace mote::fuzz
