#include "render/pass/occlusion.h"

#include "render/gl/compute.h"
#include "render/gl/uniforms.h"

namespace mote::render {
namespace {

constexpr float reach = 0.06f;      // fraction of the picture's height
constexpr float sharpness = 0.02f;  // fraction of the distance

}  // namespace

OcclusionPass::OcclusionPass(const std::filesystem::path& shaders)
    : program_(load_program(shaders, {"occlusion.comp"})),
      blur_(load_program(shaders, {"occlusion_blur.comp"})) {}

GLuint OcclusionPass::find(const SampleTarget& picture, const Lens& lens, float strength) {
  if (picture.width() != width_ || picture.height() != height_) {
    width_ = picture.width(), height_ = picture.height();
    for (TextureHandle* texture : {&rough_, &seen_}) {
      *texture = make_texture(GL_TEXTURE_2D);
      glTextureStorage2D(texture->name(), 1, GL_R16F, width_, height_);
      glTextureParameteri(texture->name(), GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    }
  }
  set(program_, "lens", lens.terms);
  set(program_, "near", lens.near * lens.unit());
  set(program_, "reach", reach);
  set(program_, "strength", strength);
  glBindTextureUnit(0, picture.nearness());
  bind_image(0, rough_.name(), GL_WRITE_ONLY, GL_R16F);
  run_for_pixels(program_, width_, height_);
  finish_images();
  set(blur_, "sharpness", sharpness);
  glBindTextureUnit(1, rough_.name());
  bind_image(0, seen_.name(), GL_WRITE_ONLY, GL_R16F);
  run_for_pixels(blur_, width_, height_);
  finish_images();
  return seen_.name();
}

}  // namespace mote::render
