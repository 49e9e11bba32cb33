#pragma once

#include <glm/vec2.hpp>
#include <vector>

#include "render/gl/handle.h"

namespace mote::render {

/// A multisampled picture of opaque objects: colour in sRGB (10 bits a channel, alpha 1 where
/// something is drawn), and reversed depth ("nearness"): 1 at the near plane, proportional to 1 /
/// distance, 0 where nothing is drawn. In floats its relative precision is the same at every
/// distance.
class SampleTarget {
 public:
  /// Sizes are pixels. Throws engine::SystemError when the driver cannot make it.
  SampleTarget(int width, int height, int samples = 4);

  int width() const { return width_; }
  int height() const { return height_; }
  int samples() const { return static_cast<int>(sample_positions_.size()); }
  /// Sample offsets from the pixel's centre, in pixels.
  const std::vector<glm::vec2>& sample_positions() const { return sample_positions_; }
  GLuint color() const { return color_.name(); }
  GLuint nearness() const { return nearness_.name(); }

  /// Binds and clears it, with a viewport over all of it.
  void begin() const;
  /// Binds it without clearing.
  void bind() const;

  /// Reads back the nearness of one sample per pixel, the bottom row first.
  std::vector<float> read_nearness() const;

 private:
  int width_, height_;
  TextureHandle color_, nearness_;
  FramebufferHandle framebuffer_;
  std::vector<glm::vec2> sample_positions_;
};

}  // namespace mote::render
