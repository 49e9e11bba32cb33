#include "render/pass/fluid.h"

#include <algorithm>
#include <array>

#include "engine/check.h"
#include "render/gl/compute.h"
#include "render/gl/uniforms.h"
#include "render/pass/attributes.h"
#include "render/pass/shadow.h"

namespace mote::render {
namespace {

/// Radius of the drawn spheres, in units of half the particle spacing: they overlap to leave no
/// holes.
constexpr float overlap = 1.7f;
/// Volume of such a sphere per particle volume: 4/3 pi (overlap / 2)^3.
constexpr float volume_ratio = 4.0f / 3 * 3.14159265f * overlap * overlap * overlap / 8;
constexpr std::array<float, 2> filter_widths{4.0f, 2.5f};  // particle radii, in successive passes
constexpr std::array<float, 2> final_widths{1.2f, 0.4f};
static_assert(final_widths.size() % 2 == 0);  // two textures alternate, and the first is shown

}  // namespace

FluidPass::Programs FluidPass::load(const std::filesystem::path& shaders, const char* clip) {
  const auto program = [&](const char* fragments) {
    return load_program(shaders, {"spheres.vert", "body_color.vert", fragments, clip});
  };
  return {program("fluid_depth.frag"), program("fluid_thickness.frag")};
}

const FluidPass::Programs& FluidPass::programs(bool cut) {
  if (cut && !cut_.depth) cut_ = load(shaders_, "clip_plane.glsl");
  return cut ? cut_ : whole_;
}

FluidPass::FluidPass(const std::filesystem::path& shaders)
    : shaders_(shaders),
      whole_(load(shaders, "clip_nothing.glsl")),
      smooth_(load_program(shaders, {"fluid_smooth.comp"})),
      nearness_(load_program(shaders, {"whole.vert", "fluid_nearness.frag"})),
      vertices_(make_vertex_array()),
      no_vertices_(make_vertex_array()) {
  declare_points(vertices_, 1);
  declare_shown(vertices_);
}

void FluidPass::resize(int width, int height) {
  fit(background_, width, height, Target::Kind::screen);
  fit(behind_, width, height, Target::Kind::screen);
  fit(shown_, width, height, Target::Kind::screen);
  if (width == width_ && height == height_) return;
  const auto make = [](GLenum format, int columns, int rows) {
    TextureHandle texture = make_texture(GL_TEXTURE_2D);
    glTextureStorage2D(texture.name(), 1, format, columns, rows);
    glTextureParameteri(texture.name(), GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTextureParameteri(texture.name(), GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTextureParameteri(texture.name(), GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTextureParameteri(texture.name(), GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return texture;
  };
  for (TextureHandle& texture : distance_maps_) texture = make(GL_R32F, width, height);
  depth_map_ = make(GL_DEPTH_COMPONENT32F, width, height);
  thickness_map_ = make(GL_R32F, (width + 1) / 2, (height + 1) / 2);
  front_ = make_framebuffer();
  glNamedFramebufferTexture(front_.name(), GL_COLOR_ATTACHMENT0, distance_maps_[0].name(), 0);
  glNamedFramebufferTexture(front_.name(), GL_DEPTH_ATTACHMENT, depth_map_.name(), 0);
  through_ = make_framebuffer();
  glNamedFramebufferTexture(through_.name(), GL_COLOR_ATTACHMENT0, thickness_map_.name(), 0);
  for (const FramebufferHandle* f : {&front_, &through_})
    if (glCheckNamedFramebufferStatus(f->name(), GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
      throw engine::SystemError("make pictures for the surface of a fluid",
                                "a framebuffer is incomplete, or the driver is out of memory",
                                "make the window smaller, or draw spheres");
  width_ = width, height_ = height;
}

void FluidPass::draw_particles(const ProgramHandle& program, const PointBuffers& points,
                               const Lens& lens, float radius, int width, int height) {
  set(program, "view", lens.unit_view());
  set(program, "clip", lens.unit_clip());
  set(program, "projection", lens.projection);
  set(program, "lens", lens.terms);
  set(program, "near", lens.near * lens.unit());
  set(program, "radius", (points.radii ? overlap : overlap * radius) * lens.unit());
  set(program, "least", 0.0f);
  set(program, "without_walls", 1);
  set(program, "without_fluid", 0);
  set(program, "viewport", glm::vec2(width, height));
  glViewport(0, 0, width, height);
  glUseProgram(program.name());
  PointBuffers sized = points;
  sized.weights = points.radii;
  bind_points(vertices_, sized);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(points.count));
  unbind_points(vertices_);
}

void FluidPass::find(const PointBuffers& points, const Lens& lens, const FluidStyle& style,
                     int width, int height) {
  MOTE_EXPECT(points.count <= 0x7fffffff);
  resize(width, height);
  const std::array<float, 4> nothing{0, 0, 0, 0};
  glDepthMask(GL_TRUE);
  glClearNamedFramebufferfv(front_.name(), GL_COLOR, 0, nothing.data());
  glClearNamedFramebufferfv(front_.name(), GL_DEPTH, 0, nothing.data());
  glClearNamedFramebufferfv(through_.name(), GL_COLOR, 0, nothing.data());
  if (points.count == 0) return;
  glDisable(GL_BLEND);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_GREATER);
  glBindFramebuffer(GL_FRAMEBUFFER, front_.name());
  draw_particles(programs(lens.clip.has_value()).depth, points, lens, style.radius, width, height);
  glDepthFunc(GL_LESS);
  glDisable(GL_DEPTH_TEST);
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFunc(GL_ONE, GL_ONE);
  glBindFramebuffer(GL_FRAMEBUFFER, through_.name());
  draw_particles(programs(lens.clip.has_value()).thickness, points, lens, style.radius,
                 (width + 1) / 2, (height + 1) / 2);
  glDisable(GL_BLEND);
  smooth(lens, style.radius);
}

void FluidPass::smooth(const Lens& lens, float radius) {
  set(smooth_, "radius", radius * lens.unit());
  set(smooth_, "per_pixel", 1 / lens.pixel(height_));
  int from = 0;
  const auto step = [&](float filter_width, int x, int y) {
    set(smooth_, "width", filter_width);
    glProgramUniform2i(smooth_.name(), uniform(smooth_, "along"), x, y);
    glBindTextureUnit(0, distance_maps_[from].name());
    from = 1 - from;
    bind_image(0, distance_maps_[from].name(), GL_WRITE_ONLY, GL_R32F);
    run_for_pixels(smooth_, width_, height_);
    finish_images();
  };
  for (const float filter_width : filter_widths) {
    step(filter_width, 1, 0);
    step(filter_width, 0, 1);
  }
  // Removes the streaks that separate passes leave.
  for (const float filter_width : final_widths) step(filter_width, 0, 0);
}

const ProgramHandle& FluidPass::surface(bool shadowed) {
  ProgramHandle& one = surfaces_[shadowed ? 1 : 0];
  if (!one)
    one = load_program(shaders_, {"fluid_surface.comp", "colors.glsl", lamp_shader(shadowed)});
  return one;
}

void FluidPass::hide(const Lens& lens, const SampleTarget& solids) {
  set(nearness_, "near", lens.near * lens.unit());
  glBindTextureUnit(0, distance_maps_[0].name());
  solids.bind();
  glUseProgram(nearness_.name());
  glBindVertexArray(no_vertices_.name());
  glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_GREATER);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glDepthFunc(GL_LESS);
  glDisable(GL_DEPTH_TEST);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glBindVertexArray(0);
}

void FluidPass::show(const Lens& lens, const FluidStyle& style, const SampleTarget& solids,
                     const Canvas& screen, GLuint sky) {
  MOTE_EXPECT(screen.width == width_ && screen.height == height_);
  const ProgramHandle& program = surface(lens.shadows.has_value());
  set_shadows(program, lens);
  set(program, "occluded", sky ? 1 : 0);
  glBindTextureUnit(5, sky);
  set(program, "lens", lens.terms);
  set(program, "radius", style.radius * lens.unit());
  set(program, "pixel_length", lens.pixel(height_));
  set(program, "room", volume_ratio);
  set(program, "near", lens.near * lens.unit());
  set(program, "brightness", style.brightness);
  set(program, "up", glm::vec3(lens.view[2]));
  glBindTextureUnit(0, distance_maps_[0].name());
  glBindTextureUnit(1, thickness_map_.name());
  glBindTextureUnit(2, background_->texture());
  glBindTextureUnit(3, behind_->texture());
  glBindTextureUnit(4, solids.nearness());
  bind_image(0, shown_->texture(), GL_WRITE_ONLY, GL_RGBA8);
  run_for_pixels(program, width_, height_);
  finish_images();
  screen.copy(*shown_);
}

}  // namespace mote::render
