#include "app/sweep/plan.h"
#include "tests/fuzz/fuzz_target.h"

/// Reads the plan of a sweep, as JSON if it begins with a brace, else as Lua.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mote;
  const auto file =
      fuzz::file_of(size > 0 && data[0] == '{' ? "plan.json" : "plan.lua", data, size);
  fuzz::allow_errors([&] { app::read_sweep_plan(file); });
  return 0;
}
