#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/params.h"
#include "sim/scene/description.h"

namespace mote::sim {

/// Reads and checks a scene. Every problem is found in one pass and thrown together as InputError.
SceneDescription read_scene(const std::filesystem::path& file, const Settings& settings = {},
                            Trust trust = Trust::no);

/// Reads a scene from a text that need not be the contents of `file`; its paths are relative to the
/// folder of `file`.
SceneDescription read_scene_text(const std::filesystem::path& file, std::string text,
                                 const Settings& settings = {});

/// Throws InputError at `location` if the bodies of a scene have no such quantity, a name or an
/// expression (quantity_check.h).
void check_scalar(const SceneDescription& scene, const std::string& scalar,
                  const std::string& location);

/// Every table that a scene may hold, in the order of the reference.
std::vector<engine::ParamSheet> scene_sheets();

}  // namespace mote::sim
