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
  // The glow covers the same part of the picture whatever its size.
  const double octaves = std::log2(light.height() / 720.0);
  set(program_, "coarsest", static_cast<float>(std::max(5 + octaves, 0.0)));
  if (bloom > 0) light.blur();
  screen.bind();
  glUseProgram(program_.name());
  glBindTextureUnit(0, light.texture());
  glBindVertexArray(no_vertices_.name());
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_BLEND);
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

}  // namespace mote::render
