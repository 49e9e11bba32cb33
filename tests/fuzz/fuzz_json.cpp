#include "engine/json.h"
#include "sim/scene/description.h"
#include "sim/scene/read_scene.h"
#include "tests/fuzz/fuzz_target.h"

namespace mote::fuzz {
namespace {

/// Reads a scene in JSON; if it is valid and small, generates its bodies.
const Reader json_reader("json", [](const std::uint8_t* data, std::size_t size) {
  allow_errors([&] {
    const auto scene = sim::read_scene_text("/nowhere/scene.json", text_of(data, size));
    if (scene.body_count() <= 1000) sim::make_bodies(scene, 1);
  });
});

}  // namespace
}  // namespace mote::fuzz
