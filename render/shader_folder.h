#pragma once

#include <filesystem>

namespace mote::render {

/// The folder of the GLSL files: environment MOTE_SHADERS, else `../share/mote/shaders` relative to
/// the program's folder, else the source tree of this build. Throws engine::SystemError with the
/// folders that were tried; a MOTE_SHADERS without shaders is an error, not ignored.
std::filesystem::path find_shaders();

}  // namespace mote::render
