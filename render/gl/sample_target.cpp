#include "render/gl/sample_target.h"

#include <algorithm>
#include <array>
#include <string>

#include "engine/check.h"

namespace mote::render {
namespace {

constexpr int max_samples = 8;  // spheres.frag has as many places

int supported_samples(int wanted) {
  GLint colors = 1, depths = 1;
  glGetIntegerv(GL_MAX_COLOR_TEXTURE_SAMPLES, &colors);
  glGetIntegerv(GL_MAX_DEPTH_TEXTURE_SAMPLES, &depths);
  return std::clamp(wanted, 1, std::min({colors, depths, max_samples}));
}

}  // namespace

SampleTarget::SampleTarget(int width, int height, int samples)
    : width_(width),
      height_(height),
      color_(make_texture(GL_TEXTURE_2D_MULTISAMPLE)),
      nearness_(make_texture(GL_TEXTURE_2D_MULTISAMPLE)),
      framebuffer_(make_framebuffer()) {
  const int wanted = supported_samples(samples);
  glTextureStorage2DMultisample(color_.name(), wanted, GL_RGB10_A2, width, height, GL_TRUE);
  glTextureStorage2DMultisample(nearness_.name(), wanted, GL_DEPTH_COMPONENT32F, width, height,
                                GL_TRUE);
  glNamedFramebufferTexture(framebuffer_.name(), GL_COLOR_ATTACHMENT0, color_.name(), 0);
  glNamedFramebufferTexture(framebuffer_.name(), GL_DEPTH_ATTACHMENT, nearness_.name(), 0);
  if (glCheckNamedFramebufferStatus(framebuffer_.name(), GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    throw engine::SystemError("make a picture of " + std::to_string(width) + " x " +
                                  std::to_string(height) + " pixels with " +
                                  std::to_string(wanted) + " samples each",
                              "the framebuffer is incomplete, or the driver is out of memory",
                              "make the window smaller, or draw stars instead of spheres");
  GLint actual = 1;
  glGetTextureLevelParameteriv(color_.name(), 0, GL_TEXTURE_SAMPLES, &actual);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
  for (int i = 0; i < std::clamp(actual, 1, max_samples); ++i) {
    std::array<GLfloat, 2> position{0.5f, 0.5f};
    glGetMultisamplefv(GL_SAMPLE_POSITION, static_cast<GLuint>(i), position.data());
    sample_positions_.emplace_back(position[0] - 0.5f, position[1] - 0.5f);
  }
}

void SampleTarget::bind() const {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
  glViewport(0, 0, width_, height_);
}

void SampleTarget::begin() const {
  bind();
  glDepthMask(GL_TRUE);
  const std::array<float, 4> nothing{0, 0, 0, 0};
  const float farthest = 0;
  glClearNamedFramebufferfv(framebuffer_.name(), GL_COLOR, 0, nothing.data());
  glClearNamedFramebufferfv(framebuffer_.name(), GL_DEPTH, 0, &farthest);
}

std::vector<float> SampleTarget::read_nearness() const {
  const TextureHandle single = make_texture(GL_TEXTURE_2D);
  const FramebufferHandle framebuffer = make_framebuffer();
  glTextureStorage2D(single.name(), 1, GL_DEPTH_COMPONENT32F, width_, height_);
  glNamedFramebufferTexture(framebuffer.name(), GL_DEPTH_ATTACHMENT, single.name(), 0);
  glBlitNamedFramebuffer(framebuffer_.name(), framebuffer.name(), 0, 0, width_, height_, 0, 0,
                         width_, height_, GL_DEPTH_BUFFER_BIT, GL_NEAREST);
  std::vector<float> values(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_));
  glGetTextureImage(single.name(), 0, GL_DEPTH_COMPONENT, GL_FLOAT,
                    static_cast<GLsizei>(values.size() * sizeof(float)), values.data());
  return values;
}

}  // namespace mote::render
