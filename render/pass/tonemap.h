#pragma once

#include <filesystem>
#include <glm/vec3.hpp>
#include <optional>

#include "render/color_map.h"
#include "render/gl/canvas.h"
#include "render/gl/handle.h"
#include "render/gl/target.h"
#include "render/pass/exposure.h"
#include "render/pass/lit_tiles.h"

namespace mote::render {

/// Colour of the background, sRGB: near black, slightly blue; white for print.
inline constexpr Color dark_background{5.0f / 255, 6.0f / 255, 11.0f / 255},
    light_background{1, 1, 1};
/// The colour of the background in linear light.
glm::vec3 linear_background(bool light);

/// Turns a picture of light into a screen picture: hue from the mean colour of the points in a
/// pixel, brightness from their density on an asinh scale, pale beyond white, and the background
/// where there is no light. A point of density `exposure.white` is shown in its map colour, unless
/// that is too dark to be seen. On a light background, light is ink: the more, the more opaque.
class TonemapPass {
 public:
  /// Throws engine::SystemError when the shaders cannot be loaded.
  explicit TonemapPass(const std::filesystem::path& shaders);

  /// Both have the same size. `bloom`: strength of the glow, 0 none, 1 default; beyond 1, bright
  /// areas also get a halo on the screen.
  void draw(const Target& light, const Exposure& exposure, const Canvas& screen, double bloom = 1,
            bool on_white = false);

 private:
  /// How far and how finely light is scattered in a picture.
  struct Glow {
    int finest = 0, coarsest = 0;  ///< levels of the mipmap
    int divisor = 1;               ///< divides the picture's resolution
    double reach = 0;              ///< pixels
    int tile = 0;                  ///< side of the tiles of the picture [pixels]
  };
  static Glow glow_of(const Target& light);

  const ProgramHandle& program(bool on_white);
  /// Computes the glow.
  void scatter(const Target& light, const Glow& glow);

  std::filesystem::path shaders_;
  ProgramHandle add_, cover_;  ///< light, ink; the latter is made on first use
  ProgramHandle halve_, halve_tiles_, glow_program_, smooth_;
  LitTiles tiles_;
  std::optional<Target> coarse_glow_, glow_, shown_;  ///< images of the last picture
  bool was_on_white_ = false, glowed_ = false;
};

}  // namespace mote::render
