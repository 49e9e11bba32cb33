#include "app/run/replay.h"
#include "tests/fuzz/fuzz_target.h"

namespace mote::fuzz {
namespace {

/// Reads the record of a run, as `mote run --replay` does.
const Reader replay_reader("replay", [](const std::uint8_t* data, std::size_t size) {
  const auto file = file_of("run.json", data, size);
  allow_errors([&] {
    const app::Replay replay(file);
    app::HeadlessRequest request;
    const sim::SceneDescription scene = replay.scene({});
    replay.complete(request, scene.stop);
    replay.edits(scene);
  });
});

}  // namespace
}  // namespace mote::fuzz
