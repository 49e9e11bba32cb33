#include "render/pass/body_mesh.h"

#include <algorithm>
#include <glm/vec2.hpp>
#include <map>
#include <utility>
#include <vector>

#include "render/gl/storage.h"
#include "render/gl/uniforms.h"
#include "render/pass/attributes.h"
#include "render/pass/clipping.h"
#include "render/pass/map_texture.h"

namespace mote::render {
namespace {

constexpr int sides = 12;                         // of a tube
constexpr float min_radius = 0.75f;               // pixels, as of spheres
constexpr GLuint vertex_group = 64, row = 32768;  // invocations, groups

void bind_storage(GLuint binding, GLuint buffer) {
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, buffer);
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
  set(program, "clip", lens.unit_clip());
}

}  // namespace

BodyMeshPass::BodyMeshPass(const std::filesystem::path& shaders, const ColorMap& map)
    : shaders_(shaders),
      normals_program_(load_program(shaders, {"body_normals.comp"})),
      map_(texture_of(map)),
      corners_array_(make_vertex_array()),
      no_vertices_(make_vertex_array()) {
  for (GLuint attribute = 0; attribute < 4; ++attribute) {
    glVertexArrayAttribFormat(corners_array_.name(), attribute, attribute % 2 == 1 ? 1 : 3,
                              GL_FLOAT, GL_FALSE, 0);
    glVertexArrayAttribBinding(corners_array_.name(), attribute, attribute);
    if (attribute < 3) glEnableVertexArrayAttrib(corners_array_.name(), attribute);
  }
}

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
  if (vertex_count_ == 0) return;
  normals_ = make_buffer();
  glNamedBufferStorage(normals_.name(), static_cast<GLsizeiptr>(mesh_->count) * 3 * sizeof(float),
                       nullptr, 0);
}

void BodyMeshPass::set_lists() {
  rods_ = buffer_of(mesh_->rods);
  elements_ = buffer_of(mesh_->triangles);
  std::map<std::uint32_t, std::vector<glm::uvec2>> around;
  for (const glm::uvec3& t : mesh_->triangles)
    for (int k = 0; k < 3; ++k) around[t[k]].emplace_back(t[(k + 1) % 3], t[(k + 2) % 3]);
  std::vector<std::uint32_t> vertices, starts{0};
  std::vector<glm::uvec2> corners;
  for (const auto& [vertex, others] : around) {
    vertices.push_back(vertex);
    corners.insert(corners.end(), others.begin(), others.end());
    starts.push_back(static_cast<std::uint32_t>(corners.size()));
  }
  vertex_count_ = static_cast<unsigned>(vertices.size());
  vertices_ = buffer_of(vertices);
  starts_ = buffer_of(starts);
  corners_ = buffer_of(corners);
}

PointBuffers BodyMeshPass::visible(PointBuffers points) const {
  if (mesh_ && mesh_->count == points.count && !mesh_->hidden.empty()) points.shown = shown_.name();
  return points;
}

void BodyMeshPass::find_normals(const PointBuffers& points, float unit) {
  set(normals_program_, "count", vertex_count_);
  set(normals_program_, "unit", unit);
  bind_storage(0, points.positions);
  bind_storage(1, vertices_.name());
  bind_storage(2, starts_.name());
  bind_storage(3, corners_.name());
  bind_storage(4, normals_.name());
  glUseProgram(normals_program_.name());
  const GLuint groups = (vertex_count_ + vertex_group - 1) / vertex_group;
  glDispatchCompute(std::min(groups, row), (groups + row - 1) / row, 1);
  glMemoryBarrier(GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT);
}

void BodyMeshPass::draw_triangles(const ProgramHandle& program, const PointBuffers& points,
                                  bool clipped) {
  glUseProgram(program.name());
  const GLuint array = corners_array_.name();
  glVertexArrayVertexBuffer(array, 0, points.positions, 0, 3 * sizeof(float));
  glVertexArrayVertexBuffer(array, 1, points.scalars, 0, sizeof(float));
  glVertexArrayVertexBuffer(array, 2, normals_.name(), 0, 3 * sizeof(float));
  if (points.radii) {
    glVertexArrayVertexBuffer(array, 3, points.radii, 0, sizeof(float));
    glEnableVertexArrayAttrib(array, 3);
  } else {
    glDisableVertexArrayAttrib(array, 3);
    glVertexAttrib1f(3, 1);
  }
  glVertexArrayElementBuffer(array, elements_.name());
  glBindVertexArray(array);
  const Clipping clipping(clipped || points.radii);  // of hidden bodies too
  glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(3 * mesh_->triangles.size()), GL_UNSIGNED_INT,
                 nullptr);
  for (GLuint attribute = 0; attribute < 4; ++attribute)
    glVertexArrayVertexBuffer(array, attribute, 0, 0, 4);
}

void BodyMeshPass::draw_rods(const ProgramHandle& program, const PointBuffers& points, float radius,
                             float least, bool clipped) {
  set(program, "own_radii", points.radii ? 1 : 0);
  set(program, "radius", radius);
  set(program, "least", least);
  set(program, "period", mesh_->period);
  set(program, "sides", sides);
  bind_storage(0, points.positions);
  bind_storage(1, points.scalars);
  bind_storage(2, points.radii ? points.radii : points.scalars);
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
  if (vertex_count_ > 0) draw_triangles(programs.triangles, points, clipped);
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
  if (vertex_count_ > 0) find_normals(points, lens.unit());
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
             min_radius * lens.pixel(target.height()), lens.clip.has_value());
}

}  // namespace mote::render
