#pragma once

#include <glm/vec2.hpp>
#include <vector>

#include "render/gl/handle.h"

namespace mote::render {

/// A picture of opaque things with several samples a pixel: colour in sRGB (10 bits a channel,
/// alpha 1 where there is something), and nearness as its depth: 1 at the near plane, falling with
/// one over the distance, 0 where there is nothing. As floats, nearness is equally exact at every
/// distance.
class SampleTarget {
 public:
  /// Sizes are pixels. Throws engine::SystemError when the driver cannot make it.
  SampleTarget(int width, int height, int samples = 4);

  int width() const { return width_; }
  int height() const { return height_; }
  int samples() const { return static_cast<int>(places_.size()); }
  /// Of each sample in a pixel, from its middle; pixels.
  const std::vector<glm::vec2>& places() const { return places_; }
  GLuint color() const { return color_.name(); }
  GLuint nearness() const { return nearness_.name(); }

  /// Makes this what is drawn into, the viewport all of it, and empties it.
  void begin() const;
  /// Goes on drawing into it.
  void bind() const;

  /// Reads the nearness of one sample of each pixel back, the bottom row first.
  std::vector<float> read_nearness() const;

 private:
  int width_, height_;
  TextureHandle color_, nearness_;
  FramebufferHandle framebuffer_;
  std::vector<glm::vec2> places_;
};

}  // namespace mote::render
