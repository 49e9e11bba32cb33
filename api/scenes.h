#pragma once

#include <filesystem>
#include <vector>

namespace mote::api {

/// share/mote, the folder of what is installed with mote: beside the program that runs, or beside
/// libmote.so. Empty where neither is installed.
std::filesystem::path installed_folder();

/// The scenes that come with mote: the folder named by MOTE_SCENES, the installed one, or that of
/// the source tree. Empty when there is none.
std::filesystem::path scenes_folder();

/// All scenes in it, Lua and JSON, by name.
std::vector<std::filesystem::path> shipped_scenes();

/// The shipped scene of this name, with or without its ending; empty when there is none.
std::filesystem::path shipped_scene(const std::filesystem::path& name);

}  // namespace mote::api
