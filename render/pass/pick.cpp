#include "render/pass/pick.h"
#include "render/gl/compute.h"

#include <algorithm>
#include <array>

#include "engine/check.h"
#include "render/gl/uniforms.h"

namespace mote::render {
namespace {

constexpr GLuint none = 0xffffffff;
constexpr std::int64_t radius_bytes = sizeof(float);  // and of a weight

}  // namespace

PickPass::PickPass(const std::filesystem::path& shaders)
    : program_(load_program(shaders, {"pick.comp"})), best_(make_buffer()) {
  glNamedBufferStorage(best_.name(), 3 * sizeof(GLuint), nullptr, 0);
}

std::optional<std::int64_t> PickPass::pick(const PointBuffers& points, const Lens& lens,
                                           glm::dvec2 pixel, double tolerance, double radius,
                                           int width, int height) {
  MOTE_EXPECT(points.count < none);
  if (points.count < 1 || width < 1 || height < 1) return std::nullopt;
  set(program_, "view", lens.unit_view());
  set(program_, "projection", lens.projection);
  set(program_, "lens", lens.terms);
  set(program_, "clip", lens.unit_clip());
  set(program_, "viewport", glm::vec2(width, height));
  set(program_, "pixel", glm::vec2(pixel.x, height - pixel.y));
  set(program_, "reach", static_cast<float>(tolerance));
  const bool own_radii = radius > 0 && points.radii != 0;
  set(program_, "radius", (own_radii ? 1 : static_cast<float>(radius)) * lens.unit());
  set(program_, "own_radii", own_radii ? 1 : 0);
  set(program_, "weighted", points.weights ? 1 : 0);
  glClearNamedBufferData(best_.name(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, &none);
  glUseProgram(program_.name());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, best_.name());
  for (int round = 0; round < 3; ++round) {
    set(program_, "turn", round);
    for (std::int64_t first = 0; first < points.count; first += points_per_dispatch) {
      const std::int64_t count = std::min(points_per_dispatch, points.count - first);
      glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 0, points.positions, first * point_bytes,
                        count * point_bytes);
      if (own_radii)
        glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 2, points.radii, first * radius_bytes,
                          count * radius_bytes);
      if (points.weights)
        glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 3, points.weights, first * radius_bytes,
                          count * radius_bytes);
      set(program_, "first", static_cast<unsigned>(first));
      set(program_, "count", static_cast<unsigned>(count));
      glDispatchCompute(static_cast<GLuint>((count + 255) / 256), 1, 1);
    }
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
  }
  std::array<GLuint, 3> best{none, none, none};
  glGetNamedBufferSubData(best_.name(), 0, sizeof best, best.data());
  if (best[2] == none) return std::nullopt;
  return best[2];
}

}  // namespace mote::render
