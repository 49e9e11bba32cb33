#include "app/camera_file.h"
#include "tests/fuzz/fuzz_target.h"

/// A camera path, as for `mote render --camera`, and points on it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mote;
  const auto file = fuzz::file_of("camera.json", data, size);
  fuzz::allow_errors([&] {
    const auto path = app::read_camera_path(file, {}, *engine::unit_system_named("solar"), 0, 10);
    for (const double time : {-1.0, 0.0, 3.0, 10.0, 11.0}) path.at(time);
  });
  return 0;
}
