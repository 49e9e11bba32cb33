#include "render/pass/shadow.h"
#include "render/gl/compute.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>

#include "engine/check.h"
#include "render/gl/uniforms.h"
#include "render/pass/attributes.h"

namespace mote::render {
namespace {

constexpr int map_size = 2048;   // texels a side
constexpr float margin = 4;      // texels without anything at each side
constexpr float around = 1.25f;  // spheres just beside the picture cast shadows into it
constexpr float steps = 4;
using Extent = std::array<std::int32_t, 6>;

/// The inverse of `in_order` in shadow_extent.comp.
float number_of(std::int32_t ordered) {
  return std::bit_cast<float>(ordered < 0 ? ordered ^ 0x7fffffff : ordered);
}

glm::mat4 lamp_axes() {
  const glm::vec3 ahead = to_lamp(), right = glm::normalize(glm::cross(glm::vec3(0, 1, 0), ahead));
  return glm::transpose(glm::mat4(glm::vec4(right, 0), glm::vec4(glm::cross(ahead, right), 0),
                                  glm::vec4(ahead, 0), glm::vec4(0, 0, 0, 1)));
}

}  // namespace

ShadowPass::ShadowPass(const std::filesystem::path& shaders)
    : shaders_(shaders),
      extent_program_(load_program(shaders, {"shadow_extent.comp"})),
      whole_(load_program(
          shaders, {"spheres.vert", "body_color.vert", "shadow_sphere.frag", "clip_nothing.glsl"})),
      vertices_(make_vertex_array()),
      extent_(make_buffer()),
      map_(make_texture(GL_TEXTURE_2D)),
      framebuffer_(make_framebuffer()) {
  declare_points(vertices_, 1);
  declare_shown(vertices_);
  glNamedBufferStorage(extent_.name(), sizeof(Extent), nullptr, GL_DYNAMIC_STORAGE_BIT);
  glTextureStorage2D(map_.name(), 1, GL_DEPTH_COMPONENT32F, map_size, map_size);
  for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
    glTextureParameteri(map_.name(), filter, GL_NEAREST);
  for (const GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
    glTextureParameteri(map_.name(), wrap, GL_CLAMP_TO_EDGE);
  glNamedFramebufferTexture(framebuffer_.name(), GL_DEPTH_ATTACHMENT, map_.name(), 0);
  glNamedFramebufferDrawBuffer(framebuffer_.name(), GL_NONE);
  if (glCheckNamedFramebufferStatus(framebuffer_.name(), GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    throw engine::SystemError("make a map for shadows",
                              "the framebuffer is incomplete, or the driver is out of memory",
                              "set view.shadow to 0");
}

const ProgramHandle& ShadowPass::program(bool cut) {
  if (cut && !cut_)
    cut_ = load_program(
        shaders_, {"spheres.vert", "body_color.vert", "shadow_sphere.frag", "clip_plane.glsl"});
  return cut ? cut_ : whole_;
}

std::optional<LampView> ShadowPass::begin(const PointBuffers& points, const Lens& lens,
                                          const SphereStyle& style) {
  constexpr std::int32_t most = 0x7fffffff;
  Extent extent{most, most, most, -most, -most, -most};
  glNamedBufferSubData(extent_.name(), 0, sizeof(Extent), extent.data());
  const glm::mat4 axes = lamp_axes();
  set(extent_program_, "view", lens.unit_view());
  set(extent_program_, "lamp_axes", axes);
  set(extent_program_, "lens", lens.terms);
  set(extent_program_, "around", around);
  set(extent_program_, "sized", points.radii ? 1 : 0);
  set(extent_program_, "radius", (points.radii ? 1 : style.radius) * lens.unit());
  glUseProgram(extent_program_.name());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, extent_.name());
  for (engine::Index first = 0; first < points.count; first += points_per_dispatch) {
    const engine::Index count = std::min(points_per_dispatch, points.count - first);
    const auto bind = [&](GLuint binding, GLuint buffer, engine::Index bytes) {
      glBindBufferRange(GL_SHADER_STORAGE_BUFFER, binding, buffer, first * bytes, count * bytes);
    };
    bind(0, points.positions, 3 * sizeof(float));
    bind(1, points.radii ? points.radii : points.scalars, sizeof(float));
    set(extent_program_, "count", static_cast<unsigned>(count));
    glDispatchCompute(static_cast<GLuint>((count + points_per_group - 1) / points_per_group), 1, 1);
  }
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  glGetNamedBufferSubData(extent_.name(), 0, sizeof(Extent), extent.data());
  if (extent[0] > extent[3]) return std::nullopt;

  glm::vec3 low, high;
  for (int axis = 0; axis < 3; ++axis)
    low[axis] = number_of(extent[axis]), high[axis] = number_of(extent[axis + 3]);
  const float fitting = std::max(high.x - low.x, high.y - low.y) / 2 / (1 - 2 * margin / map_size);
  const float half = std::exp2(std::ceil(steps * std::log2(fitting)) / steps);
  const float texel = 2 * half / map_size;
  const glm::vec3 center = glm::round((low + high) / 2.0f / texel) * texel;
  // A little more, so that the depth of the lowest is above that of nothing.
  const float depth = (high.z - low.z) / 2 + 2 * texel;
  if (!(texel > 0) || !std::isfinite(depth)) return std::nullopt;
  LampView lamp;
  lamp.view = axes * lens.unit_view();
  lamp.projection[0][0] = lamp.projection[1][1] = 1 / half;
  lamp.projection[2][2] = 1 / depth;
  lamp.projection[3] = {-center.x / half, -center.y / half, -(low.z + high.z) / 2 / depth, 1};
  lamp.unit = lens.unit();
  lamp.least = 0.75f * texel;
  lamp.clipped = lens.clip.has_value();
  if (lamp.clipped) {
    const glm::vec4 plane = lens.unit_clip();
    lamp.clip = {glm::mat3(axes) * glm::vec3(plane), plane.w};
  }
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
  glViewport(0, 0, map_size, map_size);
  glDepthMask(GL_TRUE);
  const float nothing = 0;
  glClearNamedFramebufferfv(framebuffer_.name(), GL_DEPTH, 0, &nothing);
  return lamp;
}

void ShadowPass::draw(const PointBuffers& points, const LampView& lamp, const SphereStyle& style) {
  MOTE_EXPECT(points.count <= 0x7fffffff);
  const ProgramHandle& spheres = program(lamp.clipped);
  set(spheres, "view", lamp.view);
  set(spheres, "projection", lamp.projection);
  set(spheres, "near", 0.0f);
  set(spheres, "clip", lamp.clip);
  set(spheres, "radius", (points.radii ? 1 : style.radius) * lamp.unit);
  set(spheres, "least", lamp.least);
  set(spheres, "without_walls", 0);
  set(spheres, "without_fluid", style.solids ? 1 : 0);
  set(spheres, "size", static_cast<float>(map_size));
  glUseProgram(spheres.name());
  PointBuffers sized = points;
  sized.weights = points.radii;  // 1 each if there are none
  bind_points(vertices_, sized);
  glDisable(GL_BLEND);
  glEnable(GL_DEPTH_CLAMP);  // keeps what is nearer to the lamp than the bodies in the picture
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_GREATER);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(points.count));
  glDepthFunc(GL_LESS);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_DEPTH_CLAMP);
  unbind_points(vertices_);
}

Shadows ShadowPass::finish(const LampView& lamp, float strength) const {
  Shadows shadows;
  shadows.map = map_.name();
  glm::mat4 to_unit(0.5f);
  to_unit[3] = {0.5f, 0.5f, 0.5f, 1};
  shadows.to_map = to_unit * lamp.projection * lamp_axes();
  shadows.texel = 2 / (lamp.projection[0][0] * map_size);
  shadows.strength = strength;
  return shadows;
}

}  // namespace mote::render
