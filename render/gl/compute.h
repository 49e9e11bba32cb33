#pragma once

#include "render/gl/handle.h"

namespace mote::render {

// Work on every pixel of a picture is done by compute shaders: GPUs for data centres have few units
// that run fragment shaders, and are tens of times slower with them.

/// What programs that write an image bind it by; its format is that of the texture.
inline void bind_image(GLuint unit, GLuint texture, GLenum access, GLenum format, int level = 0) {
  glBindImageTexture(unit, texture, level, GL_FALSE, 0, access, format);
}

/// Runs a program of groups of 16 x 16, at least one invocation for each pixel.
inline void run_for_pixels(const ProgramHandle& program, int width, int height) {
  const auto groups = [](int pixels) { return static_cast<GLuint>((pixels + 15) / 16); };
  glUseProgram(program.name());
  glDispatchCompute(groups(width), groups(height), 1);
}

/// What comes next sees the images that were written: in shaders, and as what is drawn into or
/// copied.
inline void finish_images() {
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT |
                  GL_FRAMEBUFFER_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT);
}

}  // namespace mote::render
