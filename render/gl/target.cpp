#include "render/gl/target.h"

#include <algorithm>
#include <bit>
#include <string>

#include "engine/check.h"

namespace mote::render {
namespace {

std::string size_text(int width, int height) {
  return std::to_string(width) + " x " + std::to_string(height);
}

std::size_t count_of(int width, int height, std::size_t channels) {
  return static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * channels;
}

}  // namespace

Target::Target(int width, int height, Kind kind)
    : width_(width),
      height_(height),
      levels_(kind == Kind::light ? std::bit_width(static_cast<unsigned>(std::max(width, height)))
                                  : 1) {
  GLint largest = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  largest = std::min(largest, 16384);  // keeps the byte count of a picture within OpenGL's limits
  if (width < 1 || height < 1 || width > largest || height > largest)
    throw engine::InputError("",
                             "a picture of " + size_text(width, height) + " pixels cannot be drawn",
                             "width and height must be 1 to " + std::to_string(largest));
  texture_ = make_texture(GL_TEXTURE_2D);
  glTextureStorage2D(texture_.name(), levels_, kind == Kind::light ? GL_RGBA32F : GL_RGBA8, width,
                     height);
  glTextureParameteri(texture_.name(), GL_TEXTURE_MIN_FILTER,
                      levels_ > 1 ? GL_LINEAR_MIPMAP_NEAREST : GL_LINEAR);
  glTextureParameteri(texture_.name(), GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTextureParameteri(texture_.name(), GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTextureParameteri(texture_.name(), GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  // Passes over mipmaps run only where there is light.
  for (int level = 1; level < levels_; ++level)
    glClearTexImage(texture_.name(), level, GL_RGBA, GL_FLOAT, nullptr);
  framebuffer_ = make_framebuffer();
  glNamedFramebufferTexture(framebuffer_.name(), GL_COLOR_ATTACHMENT0, texture_.name(), 0);
  if (glCheckNamedFramebufferStatus(framebuffer_.name(), GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    throw engine::SystemError("make a picture of " + size_text(width, height) + " pixels",
                              "the framebuffer is incomplete, or the driver is out of memory",
                              "use a smaller picture");
}

void Target::bind() const {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
  glViewport(0, 0, width_, height_);
}

void Target::clear(const std::array<float, 4>& value) const {
  glClearNamedFramebufferfv(framebuffer_.name(), GL_COLOR, 0, value.data());
}

std::vector<float> Target::read_light() const {
  std::vector<float> values(count_of(width_, height_, 4));
  glGetTextureImage(texture_.name(), 0, GL_RGBA, GL_FLOAT,
                    static_cast<GLsizei>(values.size() * sizeof(float)), values.data());
  return values;
}

std::vector<std::uint8_t> Target::read_screen() const {
  std::vector<std::uint8_t> values(count_of(width_, height_, 3));
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glGetTextureImage(texture_.name(), 0, GL_RGB, GL_UNSIGNED_BYTE,
                    static_cast<GLsizei>(values.size()), values.data());
  return values;
}

void fit(std::optional<Target>& target, int width, int height, Target::Kind kind) {
  if (target && target->width() == width && target->height() == height) return;
  target.reset();  // first: both may not fit into memory
  target.emplace(width, height, kind);
}

}  // namespace mote::render
