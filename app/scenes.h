#pragma once

#include <filesystem>

#include "api/scenes.h"

namespace mote::app {

using api::scenes_folder;
using api::shipped_scene;
using api::shipped_scenes;

/// Whether a user's word is a scene: a file, or the name of one that comes with mote.
bool is_scene(const std::filesystem::path& wanted);

/// The file that a user means: a path, or the name of a scene that comes with mote ("kepler"). When
/// there is none, throws InputError with the nearest name; and where it is a snapshot or the record
/// of a run, with the command that takes it.
std::filesystem::path find_scene(const std::filesystem::path& wanted);

/// The same, or a checkpoint.
std::filesystem::path find_scene_or_checkpoint(const std::filesystem::path& wanted);

}  // namespace mote::app
