#pragma once

#include <filesystem>
#include <vector>

namespace mote::api {

/// share/mote, the folder of installed data files, relative to the running program or to
/// libmote.so. Empty if neither is installed.
std::filesystem::path installed_folder();

/// The folder of scenes shipped with mote: that named by MOTE_SCENES, the installed one, or that of
/// the source tree. Empty if there is none.
std::filesystem::path scenes_folder();

/// All scenes in it, Lua and JSON, sorted by name.
std::vector<std::filesystem::path> shipped_scenes();

/// The shipped scene of this name, with or without its extension; empty if there is none.
std::filesystem::path shipped_scene(const std::filesystem::path& name);

}  // namespace mote::api
