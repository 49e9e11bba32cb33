#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "render/gl/handle.h"

namespace mote::render {

/// A picture in the driver's memory that passes draw into. `Light` holds 32-bit floats (linear
/// light, may exceed 1), `screen` 8-bit sRGB. Sizes are pixels, at least 1. Needs the context in
/// which it was made to be current.
class Target {
 public:
  enum class Kind { light, screen };

  /// Throws engine::InputError when the driver cannot make a picture that large,
  /// engine::SystemError when it fails.
  Target(int width, int height, Kind kind);

  int width() const { return width_; }
  int height() const { return height_; }
  /// Of the texture, each half as large as the one before; the coarser ones of `light` are there to
  /// be filled.
  int levels() const { return levels_; }
  GLuint texture() const { return texture_.name(); }
  GLuint framebuffer() const { return framebuffer_.name(); }

  /// Makes this what is drawn into, the viewport all of it.
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

/// Makes a target anew unless it has this size.
void fit(std::optional<Target>& target, int width, int height, Target::Kind kind);

}  // namespace mote::render
