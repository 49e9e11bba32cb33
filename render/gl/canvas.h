#pragma once

#include <GL/glew.h>

#include "render/gl/target.h"

namespace mote::render {

/// A framebuffer to draw a screen picture into: a target, the window's (0), or any other by name.
/// Non-owning. Colours are written as sRGB bytes.
struct Canvas {
  GLuint framebuffer = 0;
  int width = 0, height = 0;  ///< pixels

  Canvas() = default;
  Canvas(GLuint name, int columns, int rows) : framebuffer(name), width(columns), height(rows) {}
  Canvas(const Target& target)  // NOLINT: every target is a canvas
      : framebuffer(target.framebuffer()), width(target.width()), height(target.height()) {}

  /// Binds this for drawing, with a viewport over all of it.
  void bind() const {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, width, height);
  }

  /// Copies a target of the same size.
  void copy(const Target& from) const {
    glBlitNamedFramebuffer(from.framebuffer(), framebuffer, 0, 0, width, height, 0, 0, width,
                           height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  }
};

}  // namespace mote::render
