#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "render/gl/handle.h"

namespace mote::render {

/// Compiles and links files of one folder; the stage follows from the extension: .vert, .frag,
/// .comp; .glsl belongs to the stage of the preceding file. Throws engine::SystemError with the
/// file and the driver's log. Needs a current context.
ProgramHandle load_program(const std::filesystem::path& folder,
                           const std::vector<std::string>& files);

/// Location of a uniform; -1, which OpenGL ignores, if the compiler removed it.
GLint uniform(const ProgramHandle& program, const char* name);

}  // namespace mote::render
