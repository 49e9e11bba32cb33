#include "render/pass/body_mesh.h"

#include <algorithm>
#include <glm/vec2.hpp>
#include <utility>
#include <vector>

#include "render/gl/storage.h"
#include "render/gl/uniforms.h"
#include "render/pass/attributes.h"
#include "render/pass/clipping.h"
#include "render/pass/lens.h"
#include "render/pass/map_texture.h"

namespace mote::render {
namespace {

constexpr int sides = 12;  // faces around a tube

void bind_storage(GLuint binding, GLuint buffer) {
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, buffer);
}

void set_points(const ProgramHandle& program, const PointBuffers& points) {
  set(program, "own_radii", points.radii ? 1 : 0);
  bind_storage(0, points.positions);
  bind_storage(1, points.scalars);
  bind_storage(2, points.radii ? points.radii : points.scalars);
}

void set_colors(const ProgramHandle& program, const PointBuffers& points, float brightness) {
  set(program, "scalar_low", points.scalar_low);
  set(program, "scalar_scale", scalar_scale(points));
  set(program, "brightness", brightness);
}

void set_lens(const ProgramHandle& program, const Lens& lens) {
  set(program, "view", lens.unit_view());
  set(program, "projection", lens.projection);
  set(program, "near", lens.near * lens.unit());
  set(program, "unit", lens.unit());
  set(program, "clip", lens.unit_clip());
}

}  // namespace

BodyMeshPass::BodyMeshPass(const std::filesystem::path& shaders, const ColorMap& map)
    : shaders_(shaders), map_(texture_of(map)), no_vertices_(make_vertex_array()) {}

const BodyMeshPass::Programs& BodyMeshPass::lit(bool shadowed) {
  Programs& pair = lit_[shadowed ? 1 : 0];
  const auto load = [&](const char* corners) {
    return load_program(shaders_, {corners, "body_surface.frag", "colors.glsl", "lighting.glsl",
                                   lamp_shader(shadowed)});
  };
  if (!pair.triangles) pair = {load("body_surface.vert"), load("body_rods.vert")};
  return pair;
}

void BodyMeshPass::set_map(const ColorMap& map) {
  map_ = texture_of(map);
}

void BodyMeshPass::use(std::shared_ptr<const BodyMesh> mesh) {
  if (mesh == mesh_) return;
  // Bodies that are added leave the indices of the others.
  const bool same = mesh_ && mesh->rods == mesh_->rods && mesh->triangles == mesh_->triangles;
  mesh_ = std::move(mesh);
  std::vector<unsigned char> shown(static_cast<std::size_t>(mesh_->count), 255);
  for (const std::uint32_t point : mesh_->hidden) shown[point] = 0;
  shown_ = buffer_of(shown);
  if (!same) set_lists();
}

void BodyMeshPass::set_lists() {
  rods_ = buffer_of(mesh_->rods);
  std::vector<std::uint32_t> bodies, starts{0};
  std::vector<std::vector<glm::uvec2>> around;
  for (const glm::uvec3& t : mesh_->triangles)
    for (int k = 0; k < 3; ++k) {
      bodies.push_back(t[k]);
      if (t[k] >= around.size()) around.resize(t[k] + 1);
      around[t[k]].emplace_back(t[(k + 1) % 3], t[(k + 2) % 3]);
    }
  std::vector<glm::uvec2> others;
  for (const std::vector<glm::uvec2>& at : around) {
    others.insert(others.end(), at.begin(), at.end());
    starts.push_back(static_cast<std::uint32_t>(others.size()));
  }
  triangles_ = buffer_of(bodies);
  starts_ = buffer_of(starts);
  others_ = buffer_of(others);
}

PointBuffers BodyMeshPass::visible(PointBuffers points) const {
  if (mesh_ && mesh_->count == points.count && !mesh_->hidden.empty()) points.shown = shown_.name();
  return points;
}

void BodyMeshPass::draw_triangles(const ProgramHandle& program, const PointBuffers& points,
                                  bool clipped) {
  set_points(program, points);
  bind_storage(3, triangles_.name());
  bind_storage(4, starts_.name());
  bind_storage(5, others_.name());
  glUseProgram(program.name());
  glBindVertexArray(no_vertices_.name());
  const Clipping clipping(clipped || points.radii);  // hidden bodies hide their triangles, too
  glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(3 * mesh_->triangles.size()));
}

void BodyMeshPass::draw_rods(const ProgramHandle& program, const PointBuffers& points, float radius,
                             float least, bool clipped) {
  set_points(program, points);
  set(program, "radius", radius);
  set(program, "least", least);
  set(program, "period", mesh_->period);
  set(program, "sides", sides);
  bind_storage(3, rods_.name());
  glUseProgram(program.name());
  glBindVertexArray(no_vertices_.name());
  const Clipping clipping(clipped);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 2 * (sides + 1),
                        static_cast<GLsizei>(2 * mesh_->rods.size()));
}

bool BodyMeshPass::fits(const PointBuffers& points) const {
  // Shaders read the positions as one block.
  return mesh_ && mesh_->count == points.count && 12 * points.count <= largest_block();
}

void BodyMeshPass::draw_parts(const Programs& programs, const PointBuffers& points, float radius,
                              float least, bool clipped) {
  glDisable(GL_BLEND);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_GREATER);
  if (!mesh_->triangles.empty()) draw_triangles(programs.triangles, points, clipped);
  if (!mesh_->rods.empty()) draw_rods(programs.rods, points, radius, least, clipped);
  glDepthFunc(GL_LESS);
  glDisable(GL_DEPTH_TEST);
  glBindVertexArray(0);
}

void BodyMeshPass::cast(const PointBuffers& points, const LampView& lamp,
                        const SphereStyle& style) {
  if (!fits(points)) return;
  if (!cast_.triangles)
    cast_ = {load_program(shaders_, {"body_surface.vert", "shadow_solid.frag"}),
             load_program(shaders_, {"body_rods.vert", "shadow_solid.frag"})};
  for (const ProgramHandle* program : {&cast_.triangles, &cast_.rods}) {
    set(*program, "view", lamp.view);
    set(*program, "projection", lamp.projection);
    set(*program, "near", 0.0f);
    set(*program, "clip", lamp.clip);
  }
  glEnable(GL_DEPTH_CLAMP);
  draw_parts(cast_, points, (points.radii ? 1 : style.radius) * lamp.unit, lamp.least,
             lamp.clipped);
  glDisable(GL_DEPTH_CLAMP);
}

void BodyMeshPass::draw(const PointBuffers& points, const Lens& lens, const SphereStyle& style,
                        const SampleTarget& target) {
  if (!fits(points)) return;
  target.bind();
  glBindTextureUnit(0, map_.name());
  glEnable(GL_MULTISAMPLE);
  const Programs& programs = lit(lens.shadows.has_value());
  for (const ProgramHandle* program : {&programs.triangles, &programs.rods}) {
    set_lens(*program, lens);
    set_colors(*program, points, style.brightness);
    set_shadows(*program, lens);
  }
  draw_parts(programs, points, (points.radii ? 1 : style.radius) * lens.unit(),
             least_sphere_radius * lens.pixel(target.height()), lens.clip.has_value());
}

}  // namespace mote::render
