#pragma once

#include <filesystem>

namespace mote::engine {

/// The file or folder at `path` below the prefix of the installation that this program or
/// libmote.so belongs to. Empty if there is none, as in a build folder.
std::filesystem::path installed(const std::filesystem::path& path);

}  // namespace mote::engine
