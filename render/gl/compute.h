#pragma once

#include <cstdint>

#include "render/gl/handle.h"

namespace mote::render {

// Per-pixel work is done by compute shaders: data-centre GPUs have few raster units and run
// fragment shaders tens of times slower.

/// Points bound at once by a pass over them: within every driver's binding limit, and a valid
/// binding offset for every driver.
inline constexpr std::int64_t points_per_dispatch = std::int64_t{1} << 22;
inline constexpr std::int64_t points_per_group = 256;           ///< invocations of a work group
inline constexpr std::int64_t point_bytes = 3 * sizeof(float);  ///< size of a position

/// Binds a texture level as an image; `format` is that of the texture.
inline void bind_image(GLuint unit, GLuint texture, GLenum access, GLenum format, int level = 0) {
  glBindImageTexture(unit, texture, level, GL_FALSE, 0, access, format);
}

/// Runs a program with groups of 16 x 16, at least one invocation per pixel.
inline void run_for_pixels(const ProgramHandle& program, int width, int height) {
  const auto groups = [](int pixels) { return static_cast<GLuint>((pixels + 15) / 16); };
  glUseProgram(program.name());
  glDispatchCompute(groups(width), groups(height), 1);
}

/// Makes image writes visible to later shaders, framebuffer operations and copies.
inline void finish_images() {
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT |
                  GL_FRAMEBUFFER_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT);
}

}  // namespace mote::render
