#include "render/pass/tonemap.h"

#include <algorithm>
#include <cmath>

#include "engine/check.h"
#include "render/color_map.h"
#include "render/gl/shader.h"

namespace mote::render {

TonemapPass::TonemapPass(const std::filesystem::path& shaders)
    : program_(load_program(shaders, {"screen.vert", "tonemap.frag"})), no_vertices_(make_vertex_array()) {
  glProgramUniform3f(program_.name(), uniform(program_, "background"), linear_of(5.0f / 255),
                     linear_of(6.0f / 255), linear_of(11.0f / 255));
}

void TonemapPass::draw(const Target& light, const Exposure& exposure, const Target& screen) {
  MOTE_EXPECT(exposure.faint > 0 && exposure.faint < exposure.white);
  MOTE_EXPECT(light.width() == screen.width() && light.height() == screen.height());
  glProgramUniform1f(program_.name(), uniform(program_, "white"), exposure.white);
  glProgramUniform1f(program_.name(), uniform(program_, "faint"), exposure.faint);
  // The glow covers the same part of the picture whatever its size.
  const double octaves = std::log2(light.height() / 720.0);
  glProgramUniform1f(program_.name(), uniform(program_, "coarsest"),
                     static_cast<float>(std::max(5 + octaves, 0.0)));
  light.blur();
  screen.bind();
  glUseProgram(program_.name());
  glBindTextureUnit(0, light.texture());
  glBindVertexArray(no_vertices_.name());
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_BLEND);
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

}  // namespace mote::render
