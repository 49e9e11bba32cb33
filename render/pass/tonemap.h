#pragma once

#include <filesystem>
#include <optional>

#include "render/gl/canvas.h"
#include "render/gl/handle.h"
#include "render/gl/target.h"
#include "render/pass/exposure.h"

namespace mote::render {

/// What is shown where there is nothing: near black, slightly blue; sRGB.
struct Background {
  static constexpr float red = 5.0f / 255, green = 6.0f / 255, blue = 11.0f / 255;
};

/// Turns a picture of light into one for the screen: hue from the mean colour of the points in a
/// pixel, brightness from their density on an asinh scale, pale beyond white; near black, slightly
/// blue, where there is no light. A point of density `exposure.white` is shown in its colour of the
/// map, unless that is too dark to be seen.
class TonemapPass {
 public:
  /// Throws engine::SystemError when the shaders cannot be loaded.
  explicit TonemapPass(const std::filesystem::path& shaders);

  /// Both have the same size. `bloom`: strength of the glow, 0 none, 1 as usual; beyond that,
  /// bright places shine about them on the screen as well.
  void draw(const Target& light, const Exposure& exposure, const Canvas& screen, double bloom = 1);

 private:
  /// Makes the glow.
  void scatter(const Target& light);

  ProgramHandle program_, halve_, glow_program_;
  std::optional<Target> glow_, shown_;
};

}  // namespace mote::render
