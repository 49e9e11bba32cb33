#pragma once

#include "render/context.h"

namespace mote::render {

/// Loads OpenGL's functions for the context that is current, sends the driver's messages to
/// engine::log() (errors as errors, the rest as debug) and says what draws. Once for each context,
/// whoever made it: EGL or GLFW. Throws engine::SystemError when functions of OpenGL 4.5 are
/// missing.
GlInfo start_gl();

}  // namespace mote::render
