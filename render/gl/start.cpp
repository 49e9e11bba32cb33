#include "render/gl/start.h"

#include <GL/glew.h>

#include <array>
#include <mutex>
#include <string>
#include <utility>

#include "engine/check.h"
#include "engine/log.h"

namespace mote::render {
namespace {

constexpr const char* driver_remedy =
    "install libegl1 and libgl1-mesa-dri (Debian, Ubuntu), or the graphics part of the GPU's "
    "driver";

std::string text_of(GLenum name) {
  const auto* text = reinterpret_cast<const char*>(glGetString(name));
  return text ? text : "";
}

/// Suppresses repeats: an error in every frame would be logged sixty times a second.
bool is_new(const std::string& message) {
  static std::mutex mutex;  // drivers may call from their own threads
  static std::string last;
  const std::lock_guard lock(mutex);
  if (message == last) return false;
  last = message;
  return true;
}

void GLAPIENTRY log_message(GLenum, GLenum type, GLuint, GLenum, GLsizei, const GLchar* message,
                            const void*) {
  try {
    if (!is_new(message)) return;
    if (type == GL_DEBUG_TYPE_ERROR)
      engine::log().error("OpenGL: {}", message);
    else
      engine::log().debug("OpenGL: {}", message);
  } catch (...) {  // no exception may leave a C callback
  }
}

void load_functions() {
  glewExperimental = GL_TRUE;
  const GLenum code = glewInit();
  // GLEW looks for GLX last; under EGL and Wayland it may be missing, but all of OpenGL is loaded
  // by then.
  if (code != GLEW_OK && code != GLEW_ERROR_NO_GLX_DISPLAY)
    throw engine::SystemError("load the functions of OpenGL",
                              reinterpret_cast<const char*>(glewGetErrorString(code)),
                              driver_remedy);
  std::string missing;
  const std::array<std::pair<const char*, bool>, 5> needed = {
      {{"glCreateBuffers", glCreateBuffers},
       {"glNamedFramebufferTexture", glNamedFramebufferTexture},
       {"glDispatchCompute", glDispatchCompute},
       {"glGetTextureImage", glGetTextureImage},
       {"glDebugMessageCallback", glDebugMessageCallback}}};
  for (const auto& [name, found] : needed)
    if (!found) missing += (missing.empty() ? "" : ", ") + std::string(name);
  if (!missing.empty())
    throw engine::SystemError(
        "load the functions of OpenGL",
        "the driver reports " + text_of(GL_VERSION) + " but has no " + missing, driver_remedy);
}

}  // namespace

GlInfo start_gl() {
  load_functions();
  glEnable(GL_DEBUG_OUTPUT);
#ifndef NDEBUG
  glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);  // so that a debugger stops at the faulty call
#endif
  glDebugMessageCallback(log_message, nullptr);
  // Notifications such as buffer placement are useless, and some drivers send them at every upload.
  glDebugMessageControl(GL_DONT_CARE, GL_DONT_CARE, GL_DEBUG_SEVERITY_NOTIFICATION, 0, nullptr,
                        GL_FALSE);
  return {text_of(GL_VENDOR), text_of(GL_RENDERER), text_of(GL_VERSION), ""};
}

}  // namespace mote::render
