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
    : program_(load_program(shaders, {"tonemap.comp", "colors.glsl"})),
      halve_(load_program(shaders, {"halve.comp"})),
      glow_program_(load_program(shaders, {"glow.comp"})) {}

glm::vec3 linear_background(bool light) {
  const Color& color = light ? light_background : dark_background;
  return {linear_of(color.red), linear_of(color.green), linear_of(color.blue)};
}

void TonemapPass::draw(const Target& light, const Exposure& exposure, const Canvas& screen,
                       double bloom, bool on_white) {
  MOTE_EXPECT(exposure.faint > 0 && exposure.faint < exposure.white);
  MOTE_EXPECT(light.width() == screen.width && light.height() == screen.height);
  set(program_, "background", linear_background(on_white));
  set(program_, "ink", on_white ? 1 : 0);
  set(program_, "white", exposure.white);
  set(program_, "faint", exposure.faint);
  set(program_, "glow_part", static_cast<float>(default_glow * std::clamp(bloom, 0.0, 1.0)));
  set(program_, "halo", static_cast<float>(default_halo * std::clamp(bloom - 1, 0.0, 3.0)));
  if (bloom > 0) scatter(light);
  fit(shown_, light.width(), light.height(), Target::Kind::screen);
  glBindTextureUnit(0, light.texture());
  glBindTextureUnit(1, glow_ ? glow_->texture() : 0);
  bind_image(0, shown_->texture(), GL_WRITE_ONLY, GL_RGBA8);
  run_for_pixels(program_, screen.width, screen.height);
  finish_images();
  screen.copy(*shown_);
}

void TonemapPass::scatter(const Target& light) {
  // The glow covers the same fraction of the picture whatever its size. If even its finest level is
  // coarser than the picture, half resolution suffices.
  const double coarsest = std::max(5 + std::log2(light.height() / 720.0), 0.0);
  const int divisor = std::round(coarsest) - 3 >= 1 ? 2 : 1;
  const int width = (light.width() + divisor - 1) / divisor,
            height = (light.height() + divisor - 1) / divisor;
  fit(glow_, width, height, Target::Kind::light);
  glBindTextureUnit(0, light.texture());
  for (int level = 1; level <= std::min(static_cast<int>(std::round(coarsest)), light.levels() - 1);
       ++level) {
    set(halve_, "level", level - 1);
    bind_image(0, light.texture(), GL_WRITE_ONLY, GL_RGBA32F, level);
    run_for_pixels(halve_, std::max(light.width() >> level, 1),
                   std::max(light.height() >> level, 1));
    finish_images();
  }
  set(glow_program_, "coarsest", static_cast<float>(coarsest));
  bind_image(0, glow_->texture(), GL_WRITE_ONLY, GL_RGBA32F);
  run_for_pixels(glow_program_, width, height);
  finish_images();
}

}  // namespace mote::render
