#include "render/pass/tonemap.h"

#include <algorithm>
#include <cmath>

#include "engine/check.h"
#include "render/color_map.h"
#include "render/gl/uniforms.h"

namespace mote::render {
namespace {

constexpr double usual_glow = 0.25;  // part of the light
constexpr double usual_halo = 0.6;   // part of what is shown, for each unit of bloom beyond the first

}  // namespace

TonemapPass::TonemapPass(const std::filesystem::path& shaders)
    : program_(load_program(shaders, {"screen.vert", "tonemap.frag", "colors.frag"})),
      glow_program_(load_program(shaders, {"screen.vert", "glow.frag"})),
      no_vertices_(make_vertex_array()) {
  set(program_, "background",
      glm::vec3(linear_of(Background::red), linear_of(Background::green), linear_of(Background::blue)));
}

void TonemapPass::draw(const Target& light, const Exposure& exposure, const Canvas& screen, double bloom) {
  MOTE_EXPECT(exposure.faint > 0 && exposure.faint < exposure.white);
  MOTE_EXPECT(light.width() == screen.width && light.height() == screen.height);
  set(program_, "white", exposure.white);
  set(program_, "faint", exposure.faint);
  set(program_, "glow_part", static_cast<float>(usual_glow * std::clamp(bloom, 0.0, 1.0)));
  set(program_, "halo", static_cast<float>(usual_halo * std::clamp(bloom - 1, 0.0, 3.0)));
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_BLEND);
  glBindVertexArray(no_vertices_.name());
  if (bloom > 0) scatter(light);
  screen.bind();
  glUseProgram(program_.name());
  glBindTextureUnit(0, light.texture());
  glBindTextureUnit(1, glow_ ? glow_->texture() : 0);
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

void TonemapPass::scatter(const Target& light) {
  // The glow covers the same part of the picture whatever its size. Where even its finest level is coarser than the
  // picture, half of the picture's size shows all of it.
  const double coarsest = std::max(5 + std::log2(light.height() / 720.0), 0.0);
  const int parts = std::round(coarsest) - 3 >= 1 ? 2 : 1;
  const int width = (light.width() + parts - 1) / parts, height = (light.height() + parts - 1) / parts;
  if (!glow_ || glow_->width() != width || glow_->height() != height)
    glow_.emplace(width, height, Target::Kind::light);
  light.blur();
  set(glow_program_, "coarsest", static_cast<float>(coarsest));
  set(glow_program_, "size", glm::vec2(width, height));
  glow_->bind();
  glUseProgram(glow_program_.name());
  glBindTextureUnit(0, light.texture());
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

}  // namespace mote::render
