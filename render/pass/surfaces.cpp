#include "render/pass/surfaces.h"

#include <array>
#include <optional>
#include <utility>

#include "render/color_map.h"
#include "render/gl/storage.h"
#include "render/gl/uniforms.h"
#include "render/pass/clipping.h"
#include "render/pass/lamp.h"

namespace mote::render {
namespace {

constexpr int usual_samples = 4;

}  // namespace

SurfacesPass::SurfacesPass(const std::filesystem::path& shaders)
    : shaders_(shaders),
      over_(load_program(shaders, {"whole.vert", "surfaces_over.frag"})),
      corners_(make_vertex_array()),
      no_vertices_(make_vertex_array()) {
  for (GLuint attribute = 0; attribute < 2; ++attribute) {
    glVertexArrayAttribFormat(corners_.name(), attribute, 3, GL_FLOAT, GL_FALSE, 0);
    glVertexArrayAttribBinding(corners_.name(), attribute, attribute);
    glEnableVertexArrayAttrib(corners_.name(), attribute);
  }
}

const ProgramHandle& SurfacesPass::program(bool shadowed) {
  ProgramHandle& one = programs_[shadowed ? 1 : 0];
  if (!one)
    one = load_program(shaders_, {"surfaces.vert", "surfaces.frag", "colors.glsl", "lighting.glsl",
                                  lamp_shader(shadowed)});
  return one;
}

void SurfacesPass::fit_picture(const SampleTarget* hides, const Canvas& screen) {
  const int samples = hides ? hides->samples() : usual_samples;
  if (color_ && screen.width == width_ && screen.height == height_ && samples == samples_) return;
  width_ = screen.width, height_ = screen.height, samples_ = samples;
  color_ = make_texture(GL_TEXTURE_2D_MULTISAMPLE);
  glTextureStorage2DMultisample(color_.name(), samples, GL_RGBA8, width_, height_, GL_TRUE);
}

const SurfacesPass::Uploaded& SurfacesPass::uploaded(
    const std::shared_ptr<const SurfaceMesh>& mesh) {
  Uploaded& one = meshes_[mesh.get()];
  if (!one.mesh) {
    one.mesh = mesh;
    one.positions = buffer_of(mesh->positions);
    one.normals = buffer_of(mesh->normals);
  }
  one.used = true;
  return one;
}

void SurfacesPass::draw(const std::vector<PlacedSurface>& surfaces, const Lens& lens,
                        float brightness, const SampleTarget* hides, const Canvas& screen,
                        GLuint fluid) {
  if (surfaces.empty()) {
    meshes_.clear();
    return;
  }
  for (auto& [mesh, one] : meshes_) one.used = false;
  fit_picture(hides, screen);
  const FramebufferHandle framebuffer = make_framebuffer();
  glNamedFramebufferTexture(framebuffer.name(), GL_COLOR_ATTACHMENT0, color_.name(), 0);
  if (hides)
    glNamedFramebufferTexture(framebuffer.name(), GL_DEPTH_ATTACHMENT, hides->nearness(), 0);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.name());
  glViewport(0, 0, width_, height_);
  const std::array<float, 4> nothing{0, 0, 0, 0};
  glClearNamedFramebufferfv(framebuffer.name(), GL_COLOR, 0, nothing.data());

  const ProgramHandle& drawn = program(lens.shadows.has_value());
  set_shadows(drawn, lens);
  set(drawn, "projection", lens.projection);
  set(drawn, "near", lens.near * lens.unit());
  set(drawn, "brightness", brightness);
  set(drawn, "beyond", fluid ? 1 : 0);
  glBindTextureUnit(0, fluid);
  set(drawn, "clip", lens.unit_clip());
  glUseProgram(drawn.name());
  glBindVertexArray(corners_.name());
  glEnable(GL_MULTISAMPLE);
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glDepthMask(GL_FALSE);
  if (hides) glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_GREATER);
  glEnable(GL_CULL_FACE);
  std::optional<Clipping> clipping(std::in_place, lens.clip.has_value());
  for (const GLenum hidden_side : {GL_FRONT, GL_BACK}) {
    glCullFace(hidden_side);
    for (const PlacedSurface& surface : surfaces) {
      if (surface.mesh->positions.empty()) continue;
      const Uploaded& mesh = uploaded(surface.mesh);
      set(drawn, "placed", lens.unit_view() * surface.placement);
      set(drawn, "rim", surface.rim);
      set(drawn, "surface_color",
          glm::vec4(linear_of(surface.color.r), linear_of(surface.color.g),
                    linear_of(surface.color.b), surface.color.a));
      glVertexArrayVertexBuffer(corners_.name(), 0, mesh.positions.name(), 0, sizeof(glm::vec3));
      glVertexArrayVertexBuffer(corners_.name(), 1, mesh.normals.name(), 0, sizeof(glm::vec3));
      glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(surface.mesh->positions.size()));
    }
  }
  clipping.reset();
  glDisable(GL_CULL_FACE);
  glCullFace(GL_BACK);
  glDepthFunc(GL_LESS);
  glDisable(GL_DEPTH_TEST);
  glDepthMask(GL_TRUE);

  screen.bind();
  set(over_, "samples", samples_);
  glUseProgram(over_.name());
  glBindTextureUnit(0, color_.name());
  glBindVertexArray(no_vertices_.name());
  glBlendFuncSeparate(GL_ONE, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glDisable(GL_BLEND);
  glBindVertexArray(0);
  std::erase_if(meshes_, [](const auto& entry) { return !entry.second.used; });
}

}  // namespace mote::render
