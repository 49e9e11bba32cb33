#include "render/glfw_library.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <cstdlib>
#include <string_view>

#include "engine/check.h"
#include "engine/log.h"
#include "render/surface.h"

namespace mote::render {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string& last_complaint() {
  static std::string text;
  return text;
}

void remember_error(int code, const char* description) {
  try {
    last_complaint() = description ? description : "error " + std::to_string(code);
    engine::log().debug("GLFW: {}", last_complaint());
  } catch (...) {  // nothing may be thrown through GLFW
  }
}

/// Which display was tried, and what GLFW said of it.
std::string display_problem() {
  const bool speaks_wayland =
      std::string_view(glfwGetVersionString()).find("Wayland") != std::string_view::npos;
  const std::string variable = speaks_wayland ? "WAYLAND_DISPLAY" : "DISPLAY";
  const std::string display = environment(variable.c_str());
  if (!display.empty())
    return variable + "=" + display + " refused; GLFW: " + GlfwLibrary::complaint();
  return variable + " is not set" +
         (no_display_reason().empty()
              ? std::string(", and the other display cannot be used by this GLFW (Debian: ") +
                    (speaks_wayland ? "libglfw3 is for X11)" : "libglfw3-wayland is for Wayland)")
              : "; GLFW: " + GlfwLibrary::complaint());
}

}  // namespace

GlfwLibrary::GlfwLibrary() {
  forget_complaint();
  glfwSetErrorCallback(remember_error);
  if (!glfwInit()) throw engine::SystemError("open a window", display_problem(), remedy);
}

GlfwLibrary::~GlfwLibrary() {
  glfwTerminate();
}

std::shared_ptr<GlfwLibrary> GlfwLibrary::get() {
  static std::weak_ptr<GlfwLibrary> running;
  std::shared_ptr<GlfwLibrary> library = running.lock();
  if (!library) running = library = std::shared_ptr<GlfwLibrary>(new GlfwLibrary);
  return library;
}

std::string GlfwLibrary::complaint() {
  return last_complaint().empty() ? "it gave no reason" : last_complaint();
}

void GlfwLibrary::forget_complaint() {
  last_complaint().clear();
}

std::string no_display_reason() {
  if (!environment("DISPLAY").empty() || !environment("WAYLAND_DISPLAY").empty()) return "";
  return "there is no display: neither DISPLAY (X11) nor WAYLAND_DISPLAY is set";
}

}  // namespace mote::render
