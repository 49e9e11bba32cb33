#include "render/context.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glew.h>

#include <exception>
#include <utility>

#include "engine/check.h"
#include "engine/log.h"
#include "render/gl/display.h"

namespace mote::render {
namespace {

constexpr const char* remedy =
    "install libegl1 and libgl1-mesa-dri (Debian, Ubuntu), or the graphics part of the GPU's driver";

std::string text_of(GLenum name) {
  const auto* text = reinterpret_cast<const char*>(glGetString(name));
  return text ? text : "";
}

void GLAPIENTRY log_message(GLenum, GLenum type, GLuint, GLenum, GLsizei, const GLchar* message,
                            const void*) {
  try {
    if (type == GL_DEBUG_TYPE_ERROR)
      engine::log().error("OpenGL: {}", message);
    else
      engine::log().debug("OpenGL: {}", message);
  } catch (...) {  // nothing may be thrown through the driver
  }
}

/// Loads the functions of the current context.
void start_glew() {
  glewExperimental = GL_TRUE;
  const GLenum code = glewInit();
  // GLEW looks for GLX last; under EGL there need be none, and all of OpenGL is loaded by then.
  if (code != GLEW_OK && code != GLEW_ERROR_NO_GLX_DISPLAY)
    throw engine::SystemError("initialise GLEW", reinterpret_cast<const char*>(glewGetErrorString(code)),
                              remedy);
  if (!glCreateBuffers || !glDebugMessageCallback)
    throw engine::SystemError("initialise GLEW", "it found no functions of OpenGL 4.5", remedy);
}

}  // namespace

EglContext::EglContext() {
  const OpenDisplay open = open_display();
  display_ = open.display;
  context_ = open.context;
  surface_ = open.surface;
  try {
    make_current();
    start_glew();
  } catch (...) {
    release();
    throw;
  }
  glEnable(GL_DEBUG_OUTPUT);
#ifndef NDEBUG
  glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);  // so that a debugger stops at the call that was wrong
#endif
  glDebugMessageCallback(log_message, nullptr);
  info_ = {text_of(GL_VENDOR), text_of(GL_RENDERER), text_of(GL_VERSION), ""};
  engine::log().debug("OpenGL {} on {} ({}), through {}", info_.version, info_.renderer, info_.vendor,
                      open.name);
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
  // The display is the process's, shared with every other context of that device: it is not terminated.
  context_ = surface_ = display_ = nullptr;
}

void EglContext::make_current() {
  MOTE_EXPECT(context_);
  if (eglGetCurrentContext() == context_) return;
  eglBindAPI(EGL_OPENGL_API);
  if (!eglMakeCurrent(display_, surface_, surface_, context_))
    throw engine::SystemError("make an OpenGL context current", egl_reason(), remedy);
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
