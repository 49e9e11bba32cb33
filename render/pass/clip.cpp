#include "render/pass/clip.h"
#include "render/gl/compute.h"

#include <algorithm>

#include "render/gl/uniforms.h"

namespace mote::render {
namespace {}  // namespace

ClipPass::ClipPass(const std::filesystem::path& shaders)
    : program_(load_program(shaders, {"clip.comp"})) {}

PointBuffers ClipPass::apply(const PointBuffers& points, const glm::vec4& plane) {
  if (points.count == 0) return points;
  if (count_ != points.count) {
    weights_ = make_buffer();
    glNamedBufferStorage(weights_.name(), static_cast<GLsizeiptr>(points.count * sizeof(float)),
                         nullptr, 0);
    count_ = points.count;
  }
  set(program_, "clip", plane);
  set(program_, "weighted", points.weights ? 1 : 0);
  glUseProgram(program_.name());
  for (engine::Index first = 0; first < points.count; first += points_per_dispatch) {
    const engine::Index count = std::min(points_per_dispatch, points.count - first);
    const auto bind = [&](GLuint binding, GLuint buffer, engine::Index bytes) {
      glBindBufferRange(GL_SHADER_STORAGE_BUFFER, binding, buffer, first * bytes, count * bytes);
    };
    bind(0, points.positions, 3 * sizeof(float));
    bind(1, points.weights ? points.weights : weights_.name(), sizeof(float));
    bind(2, weights_.name(), sizeof(float));
    set(program_, "count", static_cast<unsigned>(count));
    glDispatchCompute(static_cast<GLuint>((count + points_per_group - 1) / points_per_group), 1, 1);
  }
  glMemoryBarrier(GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT);
  PointBuffers clipped = points;
  clipped.weights = weights_.name();
  return clipped;
}

}  // namespace mote::render
