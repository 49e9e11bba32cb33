#pragma once

#include <filesystem>
#include <string>

#include "api/scenes.h"

namespace mote::app {

using api::scenes_folder;
using api::shipped_scene;
using api::shipped_scenes;

/// Case-insensitive search.
bool has_word(const std::string& text, const std::string& word);

/// True if the argument names a scene: a file, with or without its ending .lua, or a scene that
/// comes with mote.
bool is_scene(const std::filesystem::path& wanted);

/// Resolves a path, the name of a scene that comes with mote ("kepler"), or that of a file without
/// its ending .lua. Throws InputError with
/// the closest name or, for a snapshot or a run.json, with the command that accepts it.
std::filesystem::path find_scene(const std::filesystem::path& wanted);

/// Finds a scene in the same way, but accepts checkpoints too.
std::filesystem::path find_scene_or_checkpoint(const std::filesystem::path& wanted);

}  // namespace mote::app
