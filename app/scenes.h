#pragma once

#include <filesystem>
#include <vector>

namespace mote::app {

/// The scenes that come with mote: the folder named by MOTE_SCENES, one installed beside the program, or that
/// of the source tree. Empty when there is none.
std::filesystem::path scenes_folder();

/// All scenes in it, Lua and JSON, by name.
std::vector<std::filesystem::path> shipped_scenes();

/// The shipped scene of this name, with or without its ending; empty when there is none.
std::filesystem::path shipped_scene(const std::filesystem::path& name);

/// Whether a user's word is a scene: a file, or the name of one that comes with mote.
bool is_scene(const std::filesystem::path& wanted);

/// The file that a user means: a path, or the name of a scene that comes with mote ("kepler"). When there is
/// none, throws InputError with the nearest name; and where it is a snapshot or the record of a run, with the command
/// that takes it.
std::filesystem::path find_scene(const std::filesystem::path& wanted);

/// The same, or a checkpoint.
std::filesystem::path find_scene_or_checkpoint(const std::filesystem::path& wanted);

}  // namespace mote::app
