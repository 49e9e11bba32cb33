#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "render/gl/handle.h"

namespace mote::render {

/// An offscreen picture to draw into. `light` holds 32-bit floats (linear light, may exceed 1),
/// `screen` 8-bit sRGB. Sizes are in pixels, at least 1. Needs its context to be current.
class Target {
 public:
  enum class Kind { light, screen };

  /// Throws engine::InputError when the size exceeds the driver's limit, engine::SystemError when
  /// the driver fails.
  Target(int width, int height, Kind kind);

  int width() const { return width_; }
  int height() const { return height_; }
  /// Mipmap levels of the texture; those of `light` beyond the first are filled by the tone map.
  int levels() const { return levels_; }
  GLuint texture() const { return texture_.name(); }
  GLuint framebuffer() const { return framebuffer_.name(); }

  /// Binds this for drawing, with a viewport over all of it.
  void bind() const;
  void clear(const std::array<float, 4>& value) const;

  /// Reads back, the bottom row first: red, green, blue, alpha as floats, or red, green, blue as
  /// bytes.
  std::vector<float> read_light() const;
  std::vector<std::uint8_t> read_screen() const;

 private:
  int width_, height_, levels_;
  TextureHandle texture_;
  FramebufferHandle framebuffer_;
};

/// Replaces a target that does not have this size.
void fit(std::optional<Target>& target, int width, int height, Target::Kind kind);

}  // namespace mote::render
