#include "render/pass/points.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/gtc/type_ptr.hpp>
#include <numbers>

#include "engine/check.h"
#include "render/gl/shader.h"

namespace mote::render {
namespace {

constexpr engine::Index few = 50;

struct Weights {
  double mean = 1, largest = 1;
};

Weights measure(std::span<const float> weights) {
  double sum = 0, largest = 0;
  for (const float weight : weights) {
    if (!std::isfinite(weight) || weight <= 0) continue;
    sum += weight;
    largest = std::max(largest, static_cast<double>(weight));
  }
  if (sum <= 0) return {};
  return {sum / static_cast<double>(weights.size()), largest};
}

TextureHandle texture_of(const ColorMap& map) {
  std::array<float, 4 * 256> linear{};
  for (std::size_t i = 0; i < map.entries.size(); ++i) {
    const Color& color = map.entries[i];
    linear[4 * i] = linear_of(color.red);
    linear[4 * i + 1] = linear_of(color.green);
    linear[4 * i + 2] = linear_of(color.blue);
    linear[4 * i + 3] = 1;
  }
  TextureHandle texture = make_texture(GL_TEXTURE_1D);
  glTextureStorage1D(texture.name(), 1, GL_RGBA32F, 256);
  glTextureSubImage1D(texture.name(), 0, 0, 256, GL_RGBA, GL_FLOAT, linear.data());
  glTextureParameteri(texture.name(), GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTextureParameteri(texture.name(), GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTextureParameteri(texture.name(), GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  return texture;
}

/// `buffer` feeds attribute `place` of each vertex with `count` floats.
void feed(const VertexArrayHandle& vertices, GLuint place, const BufferHandle& buffer, GLint count) {
  glVertexArrayVertexBuffer(vertices.name(), place, buffer.name(), 0,
                            count * static_cast<GLsizei>(sizeof(float)));
  glVertexArrayAttribFormat(vertices.name(), place, count, GL_FLOAT, GL_FALSE, 0);
  glVertexArrayAttribBinding(vertices.name(), place, place);
  glEnableVertexArrayAttrib(vertices.name(), place);
}

}  // namespace

PointStyle automatic_style(const Frame& frame, int width, int height, double point_size) {
  const auto count = static_cast<double>(std::max<engine::Index>(frame.count(), 1));
  const Weights weights = frame.weights.empty() ? Weights{} : measure(frame.weights);
  // The diameter falls more slowly than the distance between points, so that many points merge into a smooth
  // picture.
  const double diameter =
      point_size > 0 ? point_size : std::clamp(48 * std::pow(count / few, -0.26), 6.0, 48.0) * height / 720;
  PointStyle style;
  style.radius = static_cast<float>(std::max(diameter / 2, 1.8));
  style.light = static_cast<float>(static_cast<double>(width) * height / (count * weights.mean));
  const double sprite = std::numbers::pi * style.radius * style.radius / 6;
  style.density_of_one = static_cast<float>(static_cast<double>(width) * height / count / sprite);
  if (frame.count() <= few) {
    style.weight_floor = static_cast<float>(weights.largest / 2);
    style.weight_one = static_cast<float>(weights.largest);
    style.smallest = 0.55f;
  }
  return style;
}

PointsPass::PointsPass(const std::filesystem::path& shaders, const ColorMap& map)
    : program_(load_program(shaders, {"points.vert", "points.frag"})),
      map_(texture_of(map)),
      positions_(make_buffer()),
      scalars_(make_buffer()),
      weights_(make_buffer()),
      vertices_(make_vertex_array()) {
  feed(vertices_, 0, positions_, 3);
  feed(vertices_, 1, scalars_, 1);
  feed(vertices_, 2, weights_, 1);
  std::array<GLfloat, 2> sizes{1, 1};
  glGetFloatv(GL_POINT_SIZE_RANGE, sizes.data());
  largest_radius_ = (std::floor(sizes[1]) - 1) / 2;
}

void PointsPass::upload(const BufferHandle& buffer, std::span<const float> values) {
  glNamedBufferData(buffer.name(), static_cast<GLsizeiptr>(values.size_bytes()), values.data(),
                    GL_STREAM_DRAW);
}

void PointsPass::draw(const Frame& frame, const glm::mat4& clip_from_world, const PointStyle& style,
                      const Target& target) {
  const engine::Index count = frame.count();
  MOTE_EXPECT(count <= 0x7fffffff);
  MOTE_EXPECT(static_cast<engine::Index>(frame.scalars.size()) == count);
  MOTE_EXPECT(frame.weights.empty() || static_cast<engine::Index>(frame.weights.size()) == count);
  if (count == 0) return;
  upload(positions_, frame.positions);
  upload(scalars_, frame.scalars);
  if (frame.weights.empty()) {
    glDisableVertexArrayAttrib(vertices_.name(), 2);
    glVertexAttrib1f(2, 1);
  } else {
    glEnableVertexArrayAttrib(vertices_.name(), 2);
    upload(weights_, frame.weights);
  }

  const float radius = std::clamp(style.radius, 1.0f, largest_radius_);
  const float range = frame.scalar_high - frame.scalar_low;
  const auto set = [this](const char* name, float value) {
    glProgramUniform1f(program_.name(), uniform(program_, name), value);
  };
  glProgramUniformMatrix4fv(program_.name(), uniform(program_, "clip_from_world"), 1, GL_FALSE,
                            glm::value_ptr(clip_from_world));
  glProgramUniform2f(program_.name(), uniform(program_, "viewport"), static_cast<float>(target.width()),
                     static_cast<float>(target.height()));
  set("scalar_low", frame.scalar_low);
  set("scalar_scale", std::isfinite(range) && range > 0 ? 1 / range : 0);
  set("weight_floor", style.weight_floor);
  set("light_one", style.light);
  set("smallest", style.smallest);
  set("weight_one", style.weight_one);
  set("radius", radius);

  target.bind();
  glUseProgram(program_.name());
  glBindTextureUnit(0, map_.name());
  glBindVertexArray(vertices_.name());
  glDisable(GL_DEPTH_TEST);
  glEnable(GL_PROGRAM_POINT_SIZE);
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFunc(GL_ONE, GL_ONE);
  glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(count));
  glDisable(GL_BLEND);
}

}  // namespace mote::render
