#pragma once

#include "render/gl/info.h"

namespace mote::render {

/// Loads OpenGL's functions for the current context, sends driver messages to engine::log() (errors
/// as errors, the rest as debug) and returns the driver's name. Call once for each context, from
/// EGL or GLFW. Throws engine::SystemError when functions of OpenGL 4.5 are missing.
GlInfo start_gl();

}  // namespace mote::render
