#pragma once

#include <filesystem>

namespace mote::engine {

/// A file or folder of the installation that this code is part of, as a program or in libmote.so:
/// what stands at `path` below its prefix. Empty where there is none, as in a build folder.
std::filesystem::path installed(const std::filesystem::path& path);

}  // namespace mote::engine
