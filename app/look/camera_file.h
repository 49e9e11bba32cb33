#pragma once

#include <filesystem>

#include "engine/units.h"
#include "render/camera_path.h"

namespace mote::app {

/// Reads a camera path: a list of keys, as in
///   [ { "at": 0, "azimuth": 0, "distance": 40 },
///     { "time": "200 Myr", "azimuth": 180, "target": [0, 0, 0] } ]
/// each with "time" or "at" (0: `first`, 1: `last`), and at least one of azimuth, elevation,
/// distance and target. The path is parametrised by simulation time. Throws InputError with all
/// problems.
render::CameraPath read_camera_path(const std::filesystem::path& file,
                                    const render::OrbitCamera& base,
                                    const engine::UnitSystem& units, double first, double last);

}  // namespace mote::app
