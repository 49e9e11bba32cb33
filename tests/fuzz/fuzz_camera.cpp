#include "app/look/camera_file.h"
#include "tests/fuzz/fuzz_target.h"

namespace mote::fuzz {
namespace {

/// A camera path, as for `mote render --camera`, and points on it.
const Reader camera_reader("camera", [](const std::uint8_t* data, std::size_t size) {
  const auto file = file_of("camera.json", data, size);
  allow_errors([&] {
    const auto path = app::read_camera_path(file, {}, *engine::unit_system_named("solar"), 0, 10);
    for (const double time : {-1.0, 0.0, 3.0, 10.0, 11.0}) path.at(time);
  });
});

}  // namespace
}  // namespace mote::fuzz
