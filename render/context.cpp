#include "render/context.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <exception>
#include <utility>

#include "engine/check.h"
#include "engine/exec/forked.h"
#include "engine/log.h"
#include "render/gl/display.h"
#include "render/gl/start.h"

namespace mote::render {
namespace {

constexpr const char* context_remedy =
    "install libegl1 and libgl1-mesa-dri (Debian, Ubuntu), or the graphics part of the GPU's "
    "driver";

}  // namespace

EglContext::EglContext(std::optional<int> cuda_device) {
  static const int began_in = engine::fork_generation();  // driver threads do not survive fork
  if (began_in != engine::fork_generation())
    throw engine::SystemError("draw in a child made by fork",
                              "its parent has already drawn, and OpenGL does not survive a fork",
                              "start processes with spawn or exec, or draw in only one of them");
  const OpenDisplay open = open_display(cuda_device);
  display_ = open.display;
  context_ = open.context;
  surface_ = open.surface;
  try {
    make_current();
    info_ = start_gl();
  } catch (...) {
    release();
    throw;
  }
  engine::log().debug("OpenGL {} on {} ({}), through {}", info_.version, info_.renderer,
                      info_.vendor, open.name);
}

EglContext::~EglContext() {
  release();
}

EglContext::EglContext(EglContext&& other) noexcept {
  *this = std::move(other);
}

EglContext& EglContext::operator=(EglContext&& other) noexcept {
  if (this == &other) return *this;
  release();
  display_ = std::exchange(other.display_, nullptr);
  context_ = std::exchange(other.context_, nullptr);
  surface_ = std::exchange(other.surface_, nullptr);
  info_ = std::move(other.info_);
  return *this;
}

void EglContext::release() noexcept {
  if (!context_) return;
  if (eglGetCurrentContext() == context_)
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  eglDestroyContext(display_, context_);
  if (surface_) eglDestroySurface(display_, surface_);
  // The display belongs to the process and is shared with other contexts of the device: it is not
  // terminated.
  context_ = surface_ = display_ = nullptr;
}

void EglContext::make_current() {
  MOTE_EXPECT(context_);
  if (eglGetCurrentContext() == context_) return;
  eglBindAPI(EGL_OPENGL_API);
  if (!eglMakeCurrent(display_, surface_, surface_, context_))
    throw engine::SystemError("make an OpenGL context current", egl_reason(), context_remedy);
}

GlInfo gl_info() noexcept {
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = EGL_NO_CONTEXT;
  EGLSurface read = EGL_NO_SURFACE, draw = EGL_NO_SURFACE;
  GlInfo info;
  try {
    display = eglGetCurrentDisplay();
    context = eglGetCurrentContext();
    read = eglGetCurrentSurface(EGL_READ);
    draw = eglGetCurrentSurface(EGL_DRAW);
    info = EglContext().info();
  } catch (const std::exception& error) {
    info.problem = error.what();
  } catch (...) {
    info.problem = "unknown";
  }
  if (context != EGL_NO_CONTEXT) eglMakeCurrent(display, draw, read, context);
  return info;
}

}  // namespace mote::render
