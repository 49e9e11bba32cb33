#include "render/pass/lines.h"

#include "render/gl/uniforms.h"
#include "render/pass/clipping.h"

namespace mote::render {
namespace {

constexpr float soft_pixels = 1.5f;

}  // namespace

void hide_behind(const ProgramHandle& program, const SampleTarget* spheres, const Lens& lens,
                 int height, GLuint fluid) {
  set(program, "beyond", fluid ? 1 / lens.unit() : 0.0f);
  glBindTextureUnit(2, fluid);
  set(program, "samples", spheres ? spheres->samples() : 0);
  set(program, "near", lens.near);
  set(program, "softness", soft_pixels * lens.pixel(height));
  glBindTextureUnit(1, spheres ? spheres->nearness() : 0);
}

LinesPass::LinesPass(const std::filesystem::path& shaders)
    : program_(load_program(shaders,
                            {"lines.vert", "thick_line.vert", "lines.frag", "soft_depth.frag"})),
      points_(make_buffer()),
      no_vertices_(make_vertex_array()) {}

void LinesPass::draw(const std::vector<Line>& lines, const Lens& lens, const SampleTarget* spheres,
                     const Canvas& screen, GLuint fluid) {
  std::vector<glm::vec3> points;
  for (const Line& line : lines)
    points.insert(points.end(), line.points.begin(), line.points.end());
  if (points.empty()) return;
  glNamedBufferData(points_.name(), static_cast<GLsizeiptr>(points.size() * sizeof(glm::vec3)),
                    points.data(), GL_STREAM_DRAW);
  set(program_, "clip_from_world", lens.projection * lens.view);
  set(program_, "clip", lens.clip.value_or(glm::vec4(0, 0, 0, 1)));
  set(program_, "viewport", glm::vec2(screen.width, screen.height));
  hide_behind(program_, spheres, lens, screen.height, fluid);
  const int samples = spheres ? spheres->samples() : 0;

  screen.bind();
  glUseProgram(program_.name());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, points_.name());
  glBindVertexArray(no_vertices_.name());
  glDisable(GL_DEPTH_TEST);
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
  int first = 0;
  for (const Line& line : lines) {
    const auto count = static_cast<int>(line.points.size());
    if (count >= 2) {
      set(program_, "first", first);
      set(program_, "count", count);
      set(program_, "closed", line.closed ? 1 : 0);
      set(program_, "line_color", line.color);
      set(program_, "half_width", line.width / 2);
      set(program_, "samples", line.in_front ? 0 : samples);
      set(program_, "apart", line.segments ? 1 : 0);
      const Clipping clipping(line.clipped && lens.clip);
      if (line.segments)
        glDrawArrays(GL_TRIANGLES, 0, count / 2 * 6);
      else
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 2 * (count + (line.closed ? 1 : 0)));
    }
    first += count;
  }
  glDisable(GL_BLEND);
}

}  // namespace mote::render
