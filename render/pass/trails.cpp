#include "render/pass/trails.h"
#include "render/gl/compute.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "render/gl/uniforms.h"
#include "render/pass/attributes.h"
#include "render/pass/clipping.h"
#include "render/pass/lines.h"
#include "render/pass/map_texture.h"

namespace mote::render {
namespace {

constexpr double full_light_trails = 100;  // bodies; further trails share their light

float width_at(int height) {
  return std::max(1.0f, 2.0f * static_cast<float>(height) / 720);
}

}  // namespace

TrailsPass::TrailsPass(const std::filesystem::path& shaders, const ColorMap& map)
    : program_(load_program(shaders, {"trails.vert", "body_color.vert", "thick_line.vert",
                                      "trails.frag", "soft_depth.frag", "colors.glsl"})),
      map_(texture_of(map)),
      no_vertices_(make_vertex_array()) {}

void TrailsPass::set_map(const ColorMap& map) {
  map_ = texture_of(map);
}

void TrailsPass::add(const PointBuffers& points, int length) {
  const std::int64_t sample_bytes = points.count * point_bytes;
  if (advance(points.count, length))
    glCopyNamedBufferSubData(points.positions, history_.name(), 0, newest_ * sample_bytes,
                             sample_bytes);
}

void TrailsPass::add(std::span<const float> positions, int length) {
  const auto bodies = static_cast<engine::Index>(positions.size() / 3);
  const std::int64_t sample_bytes = bodies * point_bytes;
  if (advance(bodies, length))
    glNamedBufferSubData(history_.name(), newest_ * sample_bytes, sample_bytes, positions.data());
}

/// Advances the ring buffer to a slot for the newest sample; false if there are too many or no
/// bodies.
bool TrailsPass::advance(engine::Index bodies, int length) {
  if (bodies < 1 || bodies > max_bodies || length < 1) {
    clear();
    return false;
  }
  const std::int64_t sample_bytes = bodies * point_bytes;
  const auto capacity = static_cast<int>(
      std::clamp<std::int64_t>(max_bytes / sample_bytes, 1, std::min(length, max_samples)));
  if (bodies != bodies_) clear();
  if (capacity != capacity_) resize(bodies, capacity);
  newest_ = (newest_ + 1) % capacity_;
  stored_ = std::min(stored_ + 1, capacity_);
  return true;
}

void TrailsPass::resize(engine::Index bodies, int capacity) {
  const std::int64_t sample_bytes = bodies * point_bytes;
  BufferHandle larger = make_buffer();
  glNamedBufferStorage(larger.name(), capacity * sample_bytes, nullptr, GL_DYNAMIC_STORAGE_BIT);
  const int kept = std::min(stored_, capacity);
  for (int i = 0; i < kept; ++i) {  // oldest first
    const int from = (newest_ - (kept - 1 - i) + capacity_) % capacity_;
    glCopyNamedBufferSubData(history_.name(), larger.name(), from * sample_bytes, i * sample_bytes,
                             sample_bytes);
  }
  history_ = std::move(larger);
  bodies_ = bodies;
  capacity_ = capacity;
  stored_ = kept;
  newest_ = kept - 1;
}

void TrailsPass::clear() {
  history_ = {};
  bodies_ = 0;
  capacity_ = stored_ = 0;
  newest_ = -1;
}

bool TrailsPass::begin(const PointBuffers& points, const Lens& lens, int length,
                       const Canvas& canvas) {
  if (stored_ < 1 || length < 1 || points.count != bodies_) return false;
  count_ = 1 + std::min(stored_, length);
  set(program_, "clip_from_world", lens.projection * lens.view);
  set(program_, "clip", lens.clip.value_or(glm::vec4(0, 0, 0, 1)));
  set(program_, "viewport", glm::vec2(canvas.width, canvas.height));
  set(program_, "half_width", width_at(canvas.height) / 2);
  set(program_, "bodies", static_cast<int>(bodies_));
  set(program_, "rows", capacity_);
  set(program_, "newest", newest_);
  set(program_, "count", count_);
  set(program_, "scalar_low", points.scalar_low);
  set(program_, "scalar_scale", scalar_scale(points));
  canvas.bind();
  glUseProgram(program_.name());
  glBindTextureUnit(0, map_.name());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, history_.name());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, points.positions);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, points.scalars);
  set(program_, "weighted", points.weights ? 1 : 0);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 3, points.weights ? points.weights : points.scalars);
  return true;
}

void TrailsPass::finish(const PointBuffers& points, const Lens& lens) {
  glBindVertexArray(no_vertices_.name());
  glDisable(GL_DEPTH_TEST);
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  const Clipping finite(true), clipping(lens.clip.has_value(), GL_CLIP_DISTANCE1);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 2 * count_, static_cast<GLsizei>(points.count));
  glDisable(GL_BLEND);
}

void TrailsPass::draw_light(const PointBuffers& points, const Lens& lens, int length,
                            const Exposure& exposure, float brightness, const Target& light) {
  if (!begin(points, lens, length, light)) return;
  hide_behind(program_, nullptr, lens, light.height());
  set(program_, "as_light", 1);
  set(program_, "brightness", brightness);
  set(program_, "faint", exposure.faint);
  set(program_, "of_white", std::asinh(exposure.white / exposure.faint));
  const double fraction =
      full_light_trails / std::max(full_light_trails, static_cast<double>(points.count));
  set(program_, "strength", static_cast<float>(std::pow(fraction, 0.75)));
  glBlendFunc(GL_ONE, GL_ONE);
  finish(points, lens);
}

void TrailsPass::draw_over(const PointBuffers& points, const Lens& lens, int length, float opacity,
                           const SampleTarget* spheres, const Canvas& screen) {
  if (!begin(points, lens, length, screen)) return;
  hide_behind(program_, spheres, lens, screen.height);
  set(program_, "as_light", 0);
  set(program_, "brightness", opacity);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
  finish(points, lens);
}

}  // namespace mote::render
