#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "render/gl/handle.h"

namespace mote::render {

/// Compiles and links files of one folder; their endings say what they are: .vert, .frag, .comp;
/// .glsl is more of the stage before it. Throws engine::SystemError with the file and the driver's
/// log. Needs a current context.
ProgramHandle load_program(const std::filesystem::path& folder,
                           const std::vector<std::string>& files);

/// Where a uniform lives. -1, which OpenGL ignores, when the compiler found no use for it.
GLint uniform(const ProgramHandle& program, const char* name);

}  // namespace mote::render
