#include "render/pass/tonemap.h"

#include <algorithm>
#include <cmath>

#include "engine/check.h"
#include "render/color_map.h"
#include "render/gl/compute.h"
#include "render/gl/uniforms.h"

namespace mote::render {
namespace {

constexpr double default_glow = 0.25;  // fraction of the light
constexpr double default_halo = 0.6;  // fraction of the picture, per unit of bloom beyond the first

}  // namespace

TonemapPass::TonemapPass(const std::filesystem::path& shaders)
    : shaders_(shaders),
      add_(load_program(shaders,
                        {"tonemap.comp", "tonemap_light.glsl", "colors.glsl", "tiles.glsl"})),
      halve_(load_program(shaders, {"halve.comp", "everywhere.glsl"})),
      halve_tiles_(load_program(shaders, {"halve.comp", "in_tiles.glsl", "tiles.glsl"})),
      glow_program_(load_program(shaders, {"glow.comp", "smooth_level.glsl", "tiles.glsl"})),
      smooth_(load_program(shaders, {"glow_smooth.comp", "smooth_level.glsl", "tiles.glsl"})),
      tiles_(shaders) {}

const ProgramHandle& TonemapPass::program(bool on_white) {
  if (!on_white) return add_;
  if (!cover_)
    cover_ =
        load_program(shaders_, {"tonemap.comp", "tonemap_ink.glsl", "colors.glsl", "tiles.glsl"});
  return cover_;
}

glm::vec3 linear_background(bool light) {
  const Color& color = light ? light_background : dark_background;
  return {linear_of(color.red), linear_of(color.green), linear_of(color.blue)};
}

void TonemapPass::draw(const Target& light, const Exposure& exposure, const Canvas& screen,
                       double bloom, bool on_white) {
  MOTE_EXPECT(exposure.faint > 0 && exposure.faint < exposure.white);
  MOTE_EXPECT(light.width() == screen.width && light.height() == screen.height);
  const ProgramHandle& mapping = program(on_white);
  set(mapping, "background", linear_background(on_white));
  set(mapping, "white", exposure.white);
  set(mapping, "faint", exposure.faint);
  set(mapping, "of_white", std::asinh(exposure.white / exposure.faint));
  set(mapping, "glow_part", static_cast<float>(default_glow * std::clamp(bloom, 0.0, 1.0)));
  set(mapping, "halo", static_cast<float>(default_halo * std::clamp(bloom - 1, 0.0, 3.0)));
  const bool glows = bloom > 0;
  const Glow glow = glow_of(light);
  // Where neither this picture nor the previous one has light, all is as it was: the background,
  // and no glow.
  const bool new_size =
      !shown_ || shown_->width() != light.width() || shown_->height() != light.height();
  const bool all = new_size || on_white != was_on_white_ || glows != glowed_;
  was_on_white_ = on_white, glowed_ = glows;
  tiles_.find(light, glow.tile, glows ? glow.reach : 0, all);
  if (glows) scatter(light, glow);
  fit(shown_, light.width(), light.height(), Target::Kind::screen);
  glBindTextureUnit(0, light.texture());
  glBindTextureUnit(1, glow_ ? glow_->texture() : 0);
  bind_image(0, shown_->texture(), GL_WRITE_ONLY, GL_RGBA8);
  tiles_.run(mapping);
  finish_images();
  screen.copy(*shown_);
}

TonemapPass::Glow TonemapPass::glow_of(const Target& light) {
  Glow glow;
  // The glow covers the same fraction of the picture whatever its size, and has no details that its
  // pixels could not show.
  const int last = static_cast<int>(std::round(5 + std::log2(light.height() / 720.0)));
  glow.coarsest = std::clamp(last, 0, light.levels() - 1);
  glow.finest = std::max(glow.coarsest - 3, 0);
  glow.divisor = glow.finest < 2 ? glow.finest + 1 : 1 << (glow.finest - 1);
  // Two pixels of the coarsest level by the spline that samples it, half a pixel by its own size,
  // and another half by those below: a level of half an odd size is sampled up to half a pixel of
  // the previous level beside its place. Then two pixels of the finest level by the spline that
  // smooths all, and one beside its place. Then one pixel of the glow, where it is interpolated.
  const auto side = [&light](int level) {
    const auto along = [level](int size) {
      return static_cast<double>(size) / std::max(size >> level, 1);
    };
    return std::max(along(light.width()), along(light.height()));
  };
  glow.reach = 3 * side(glow.coarsest) + 3 * side(glow.finest) + 2 * glow.divisor;
  glow.tile = std::max(32, 16 << glow.finest);  // whole groups in the coarse glow
  return glow;
}

void TonemapPass::scatter(const Target& light, const Glow& glow) {
  glBindTextureUnit(0, light.texture());
  for (int level = 1; level <= glow.coarsest; ++level) {
    const bool in_tiles = level <= glow.finest;  // beyond, a tile is less than a group
    set(in_tiles ? halve_tiles_ : halve_, "level", level - 1);
    bind_image(0, light.texture(), GL_WRITE_ONLY, GL_RGBA32F, level);
    if (in_tiles)
      tiles_.run(halve_tiles_, 1 << level);
    else
      run_for_pixels(halve_, std::max(light.width() >> level, 1),
                     std::max(light.height() >> level, 1));
    finish_images();
  }
  fit(coarse_glow_, std::max(light.width() >> glow.finest, 1),
      std::max(light.height() >> glow.finest, 1), Target::Kind::light);
  set(glow_program_, "finest", glow.finest);
  set(glow_program_, "coarsest", glow.coarsest);
  bind_image(0, coarse_glow_->texture(), GL_WRITE_ONLY, GL_RGBA32F);
  tiles_.run(glow_program_, 1 << glow.finest);
  finish_images();
  fit(glow_, (light.width() + glow.divisor - 1) / glow.divisor,
      (light.height() + glow.divisor - 1) / glow.divisor, Target::Kind::light);
  glBindTextureUnit(0, coarse_glow_->texture());
  bind_image(0, glow_->texture(), GL_WRITE_ONLY, GL_RGBA32F);
  tiles_.run(smooth_, glow.divisor);
  finish_images();
}

}  // namespace mote::render
