#pragma once

#include <filesystem>

namespace mote::render {

/// The folder of the GLSL files: environment MOTE_SHADERS, else `../share/mote/shaders` beside the
/// folder of the program, else the source tree that this was built from. Throws engine::SystemError
/// with the folders that were tried; a MOTE_SHADERS without shaders is an error of its own, not
/// passed over.
std::filesystem::path find_shaders();

}  // namespace mote::render
