#pragma once

#include <optional>
#include <string>

namespace mote::render {

/// A context on the best display that EGL offers without a screen. Not yet current. The pointers
/// are EGLDisplay, EGLContext and EGLSurface; the surface is null where the driver needs none.
struct OpenDisplay {
  void* display = nullptr;
  void* context = nullptr;
  void* surface = nullptr;
  std::string name;
};

/// Tries GPUs first (the one with CUDA number `cuda_device` before the others, where EGL can
/// identify it), then Mesa without a surface system, then software devices, then EGL's default
/// display. The caller owns context and surface. Throws engine::SystemError with each attempt and
/// its reason when none supports OpenGL 4.5.
OpenDisplay open_display(std::optional<int> cuda_device = {});

/// EGL's last error in words.
std::string egl_reason();

}  // namespace mote::render
