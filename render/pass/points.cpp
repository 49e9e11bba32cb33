#include "render/pass/points.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "engine/check.h"
#include "render/gl/uniforms.h"
#include "render/pass/attributes.h"
#include "render/pass/map_texture.h"

namespace mote::render {
namespace {

constexpr engine::Index few_points = 50;

}  // namespace

WeightRange measure_weights(std::span<const float> weights) {
  double sum = 0, largest = 0;
  for (const float weight : weights) {
    if (!std::isfinite(weight) || weight <= 0) continue;
    sum += weight;
    largest = std::max(largest, static_cast<double>(weight));
  }
  if (sum <= 0) return {};
  return {sum / static_cast<double>(weights.size()), largest};
}

PointStyle automatic_style(engine::Index points, const WeightRange& weights, int width, int height,
                           double point_size) {
  const auto count = static_cast<double>(std::max<engine::Index>(points, 1));
  // The diameter falls more slowly than the point spacing, so that many points merge into a smooth
  // picture.
  const double diameter =
      point_size > 0
          ? point_size
          : std::clamp(48 * std::pow(count / few_points, -0.26), 6.0, 48.0) * height / 720;
  PointStyle style;
  style.radius = static_cast<float>(std::max(diameter / 2, 1.8));
  style.light = static_cast<float>(static_cast<double>(width) * height / (count * weights.mean));
  const double sprite = std::numbers::pi * style.radius * style.radius / 6;
  style.peak_density = static_cast<float>(static_cast<double>(width) * height / count / sprite);
  if (points <= few_points) {
    style.weight_floor = static_cast<float>(weights.largest / 2);
    style.weight_one = static_cast<float>(weights.largest);
    style.smallest = 0.55f;
  }
  return style;
}

PointStyle automatic_style(const Frame& frame, int width, int height, double point_size) {
  return automatic_style(frame.count(), measure_weights(frame.weights), width, height, point_size);
}

PointsPass::PointsPass(const std::filesystem::path& shaders, const ColorMap& map)
    : program_(load_program(shaders, {"points.vert", "body_color.vert", "points.frag"})),
      map_(texture_of(map)),
      vertices_(make_vertex_array()) {
  declare_points(vertices_, 0);
  std::array<GLfloat, 2> sizes{1, 1};
  glGetFloatv(GL_POINT_SIZE_RANGE, sizes.data());
  largest_radius_ = (std::floor(sizes[1]) - 1) / 2;
}

void PointsPass::set_map(const ColorMap& map) {
  map_ = texture_of(map);
}

void PointsPass::draw(const PointBuffers& points, const glm::mat4& clip_from_world,
                      const PointStyle& style, const Target& target) {
  MOTE_EXPECT(points.count <= 0x7fffffff);
  if (points.count == 0) return;
  set(program_, "clip_from_world", clip_from_world);
  set(program_, "viewport", glm::vec2(target.width(), target.height()));
  set(program_, "scalar_low", points.scalar_low);
  set(program_, "scalar_scale", scalar_scale(points));
  set(program_, "weight_floor", style.weight_floor);
  set(program_, "light_one", style.light);
  set(program_, "smallest", style.smallest);
  set(program_, "weight_one", style.weight_one);
  set(program_, "radius", std::clamp(style.radius, 1.0f, largest_radius_));

  target.bind();
  glUseProgram(program_.name());
  glBindTextureUnit(0, map_.name());
  bind_points(vertices_, points);
  glDisable(GL_DEPTH_TEST);
  glEnable(GL_PROGRAM_POINT_SIZE);
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFunc(GL_ONE, GL_ONE);
  glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(points.count));
  glDisable(GL_BLEND);
  unbind_points(vertices_);
}

}  // namespace mote::render
