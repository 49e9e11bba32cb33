#pragma once

#include <filesystem>

namespace mote::engine {

/// The file or folder at `path` below the prefix of the installation that this program or
/// libmote.so belongs to. Empty if there is none, as in a build folder.
std::filesystem::path installed(const std::filesystem::path& path);

/// The file `name` in the folder of this program, or of libmote.so. Empty if there is none.
std::filesystem::path beside_program(const std::filesystem::path& name);

}  // namespace mote::engine
