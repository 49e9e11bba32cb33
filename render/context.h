#pragma once

#include <optional>
#include <string>

namespace mote::render {

/// What draws. `problem` is empty when a context could be made; otherwise the rest is empty.
struct GlInfo {
  std::string vendor, renderer, version, problem;
};

/// An OpenGL 4.5 core context that needs no display: EGL on a GPU when there is one, else Mesa's
/// software driver. Current in the thread that makes it, and to be used by one thread at a time.
/// Function pointers are GLEW's and belong to the process: contexts of two different drivers in one
/// process are not supported.
///
/// Messages of the driver go to engine::log(): errors as errors, the rest as debug.
class EglContext {
 public:
  /// `cuda_device`: prefer the GPU that CUDA calls so, where EGL can tell. Throws
  /// engine::SystemError with what was tried and why it failed.
  explicit EglContext(std::optional<int> cuda_device = {});
  ~EglContext();
  EglContext(EglContext&& other) noexcept;
  EglContext& operator=(EglContext&& other) noexcept;

  /// Makes this the context of the calling thread. Throws engine::SystemError when the driver
  /// refuses.
  void make_current();
  const GlInfo& info() const { return info_; }

 private:
  void release() noexcept;

  // EGLDisplay, EGLContext, EGLSurface: opaque pointers, so that EGL's header stays out of here.
  void* display_ = nullptr;
  void* context_ = nullptr;
  void* surface_ = nullptr;
  GlInfo info_;
};

/// What an EglContext would draw with; never throws. The context that is current stays so.
GlInfo gl_info() noexcept;

}  // namespace mote::render
