#include "render/pass/spheres.h"

#include "engine/check.h"
#include "render/gl/compute.h"
#include "render/gl/uniforms.h"
#include "render/pass/attributes.h"
#include "render/pass/lamp.h"
#include "render/pass/lens.h"
#include "render/pass/map_texture.h"
#include "render/pass/tonemap.h"

namespace mote::render {
namespace {

constexpr engine::Index max_sample_shaded = 5000;  // up to this number of spheres each sample is
                                                   // shaded

ProgramHandle load_spheres(const std::filesystem::path& shaders, bool cut, bool shadowed) {
  return load_program(
      shaders, {"spheres.vert", "body_color.vert", "spheres.frag", "colors.glsl", "lighting.glsl",
                cut ? "clip_plane.glsl" : "clip_nothing.glsl", lamp_shader(shadowed)});
}

}  // namespace

SpheresPass::SpheresPass(const std::filesystem::path& shaders, const ColorMap& map)
    : shaders_(shaders),
      compose_(load_program(shaders, {"compose.comp", "colors.glsl"})),
      map_(texture_of(map)),
      vertices_(make_vertex_array()) {
  declare_points(vertices_, 1);
  declare_shown(vertices_);
  program(false, false);
}

void SpheresPass::set_map(const ColorMap& map) {
  map_ = texture_of(map);
}

const ProgramHandle& SpheresPass::program(bool cut, bool shadowed) {
  ProgramHandle& one = programs_[cut ? 1 : 0][shadowed ? 1 : 0];
  if (!one) one = load_spheres(shaders_, cut, shadowed);
  return one;
}

void SpheresPass::draw(const PointBuffers& points, const Lens& lens, const SphereStyle& style,
                       const SampleTarget& target) {
  MOTE_EXPECT(points.count <= 0x7fffffff);
  target.begin();
  if (points.count == 0) return;
  const ProgramHandle& spheres = program(lens.clip.has_value(), lens.shadows.has_value());
  set_shadows(spheres, lens);
  set(spheres, "clip", lens.unit_clip());
  set(spheres, "view", lens.unit_view());
  set(spheres, "projection", lens.projection);
  set(spheres, "lens", lens.terms);
  set(spheres, "near", lens.near * lens.unit());
  set(spheres, "radius", (points.radii ? 1 : style.radius) * lens.unit());
  set(spheres, "least", least_sphere_radius * lens.pixel(target.height()));
  set(spheres, "without_walls", 0);
  set(spheres, "without_fluid", style.solids ? 1 : 0);
  set(spheres, "brightness", style.brightness);
  set(spheres, "scalar_low", points.scalar_low);
  set(spheres, "scalar_scale", scalar_scale(points));
  set(spheres, "viewport", glm::vec2(target.width(), target.height()));
  // Where spheres intersect, only per-sample depth gives smooth edges.
  const bool each_sample = points.count <= max_sample_shaded;
  const std::vector<glm::vec2> center{glm::vec2(0)};
  const std::vector<glm::vec2>& positions = each_sample ? center : target.sample_positions();
  set(spheres, "samples", static_cast<int>(positions.size()));
  glProgramUniform2fv(spheres.name(), uniform(spheres, "places"),
                      static_cast<GLsizei>(positions.size()), glm::value_ptr(positions.front()));

  glUseProgram(spheres.name());
  glBindTextureUnit(0, map_.name());
  PointBuffers sized = points;
  sized.weights = points.radii;  // 1 each if there are none
  bind_points(vertices_, sized);
  glDisable(GL_BLEND);
  glEnable(GL_MULTISAMPLE);
  if (each_sample) glEnable(GL_SAMPLE_SHADING);
  glMinSampleShading(1);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_GREATER);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(points.count));
  glDepthFunc(GL_LESS);
  glDisable(GL_SAMPLE_SHADING);
  glDisable(GL_DEPTH_TEST);
  unbind_points(vertices_);
}

void SpheresPass::compose(const SampleTarget& picture, const Canvas& screen, bool on_white,
                          GLuint sky) {
  set(compose_, "occluded", sky ? 1 : 0);
  glBindTextureUnit(1, sky);
  glBindTextureUnit(2, picture.nearness());
  set(compose_, "background", linear_background(on_white));
  MOTE_EXPECT(picture.width() == screen.width && picture.height() == screen.height);
  set(compose_, "samples", picture.samples());
  fit(shown_, screen.width, screen.height, Target::Kind::screen);
  glBindTextureUnit(0, picture.color());
  bind_image(0, shown_->texture(), GL_WRITE_ONLY, GL_RGBA8);
  run_for_pixels(compose_, screen.width, screen.height);
  finish_images();
  screen.copy(*shown_);
}

}  // namespace mote::render
