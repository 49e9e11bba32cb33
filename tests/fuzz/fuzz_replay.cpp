#include "app/replay.h"
#include "tests/fuzz/fuzz_target.h"

/// Reads the record of a run, as `mote run --replay` does.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mote;
  const auto file = fuzz::file_of("run.json", data, size);
  fuzz::allow_errors([&] {
    const app::Replay replay(file);
    app::HeadlessRequest request;
    replay.complete(request);
    replay.edits(replay.scene({}));
  });
  return 0;
}
