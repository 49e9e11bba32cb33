#pragma once

#include <GL/glew.h>

#include <memory>
#include <type_traits>
#include <utility>

namespace mote::render {

/// Owns the name of one OpenGL object; 0 owns nothing. Move-only. The context in which it was made
/// must be current when it is destroyed, which never throws. `Destroy` deletes one name.
template <auto Destroy>
class Handle {
 public:
  Handle() = default;
  explicit Handle(GLuint name) : name_(name) {}
  ~Handle() { reset(); }
  Handle(Handle&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
  Handle& operator=(Handle&& other) noexcept {
    if (this != &other) {
      reset();
      name_ = std::exchange(other.name_, 0);
    }
    return *this;
  }

  GLuint name() const { return name_; }
  explicit operator bool() const { return name_ != 0; }

 private:
  void reset() noexcept {
    if (name_ != 0) Destroy(name_);
    name_ = 0;
  }

  GLuint name_ = 0;
};

// GLEW's functions are variables, filled at run time, so each is wrapped in one that a type can
// name.
inline void delete_buffer(GLuint name) noexcept {
  glDeleteBuffers(1, &name);
}
inline void delete_texture(GLuint name) noexcept {
  glDeleteTextures(1, &name);
}
inline void delete_framebuffer(GLuint name) noexcept {
  glDeleteFramebuffers(1, &name);
}
inline void delete_vertex_array(GLuint name) noexcept {
  glDeleteVertexArrays(1, &name);
}
inline void delete_shader(GLuint name) noexcept {
  glDeleteShader(name);
}
inline void delete_program(GLuint name) noexcept {
  glDeleteProgram(name);
}

using BufferHandle = Handle<delete_buffer>;
using TextureHandle = Handle<delete_texture>;
using FramebufferHandle = Handle<delete_framebuffer>;
using VertexArrayHandle = Handle<delete_vertex_array>;
using ShaderHandle = Handle<delete_shader>;
using ProgramHandle = Handle<delete_program>;

struct DeleteSync {
  void operator()(GLsync fence) const noexcept { glDeleteSync(fence); }
};
/// A fence after commands; null owns nothing.
using SyncHandle = std::unique_ptr<std::remove_pointer_t<GLsync>, DeleteSync>;

// New objects by direct state access: they exist at once without being bound.
inline BufferHandle make_buffer() {
  GLuint name = 0;
  glCreateBuffers(1, &name);
  return BufferHandle(name);
}
/// `kind`: GL_TEXTURE_2D, ...
inline TextureHandle make_texture(GLenum kind) {
  GLuint name = 0;
  glCreateTextures(kind, 1, &name);
  return TextureHandle(name);
}
inline FramebufferHandle make_framebuffer() {
  GLuint name = 0;
  glCreateFramebuffers(1, &name);
  return FramebufferHandle(name);
}
inline VertexArrayHandle make_vertex_array() {
  GLuint name = 0;
  glCreateVertexArrays(1, &name);
  return VertexArrayHandle(name);
}

}  // namespace mote::render
