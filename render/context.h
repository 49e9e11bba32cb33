#pragma once

#include <optional>

#include "render/gl/info.h"

namespace mote::render {

/// An OpenGL 4.5 core context without a display: EGL on a GPU if there is one, else Mesa's software
/// driver. It is current in the thread that makes it; only one thread may use it at a time.
/// Function pointers are GLEW's and belong to the process: contexts of two different drivers in one
/// process are not supported.
///
/// Driver messages go to engine::log(): errors as errors, the rest as debug.
class EglContext {
 public:
  /// `cuda_device`: prefer the GPU with this CUDA number, where EGL can identify it. Throws
  /// engine::SystemError that lists the attempts and their failures.
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

  // EGLDisplay, EGLContext, EGLSurface as opaque pointers, to keep EGL's header out of here.
  void* display_ = nullptr;
  void* context_ = nullptr;
  void* surface_ = nullptr;
  GlInfo info_;
};

/// The driver that an EglContext would use; never throws. The current context stays current.
GlInfo gl_info() noexcept;

}  // namespace mote::render
