#include "app/sweep/plan.h"
#include "tests/fuzz/fuzz_target.h"

namespace mote::fuzz {
namespace {

/// Reads the plan of a sweep, as JSON if it begins with a brace, else as Lua.
const Reader plan_reader("plan", [](const std::uint8_t* data, std::size_t size) {
  const auto file = file_of(size > 0 && data[0] == '{' ? "plan.json" : "plan.lua", data, size);
  allow_errors([&] { app::read_sweep_plan(file); });
});

}  // namespace
}  // namespace mote::fuzz
