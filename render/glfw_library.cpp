#include "render/glfw_library.h"

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

std::string& error_text() {
  static std::string text;
  return text;
}

void record_error(int code, const char* description) {
  try {
    error_text() = description ? description : "error " + std::to_string(code);
    engine::log().debug("GLFW: {}", error_text());
  } catch (...) {  // no exception may leave a C callback
  }
}

/// The display that was tried, and GLFW's error.
std::string display_problem() {
  const bool uses_wayland =
      std::string_view(glfwGetVersionString()).find("Wayland") != std::string_view::npos;
  const std::string variable = uses_wayland ? "WAYLAND_DISPLAY" : "DISPLAY";
  const std::string display = environment(variable.c_str());
  if (!display.empty())
    return variable + "=" + display + " refused; GLFW: " + GlfwLibrary::last_error();
  return variable + " is not set" +
         (no_display_reason().empty()
              ? std::string(", and the other display cannot be used by this GLFW (Debian: ") +
                    (uses_wayland ? "libglfw3 is for X11)" : "libglfw3-wayland is for Wayland)")
              : "; GLFW: " + GlfwLibrary::last_error());
}

}  // namespace

GlfwLibrary::GlfwLibrary() {
  clear_error();
  glfwSetErrorCallback(record_error);
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

std::string GlfwLibrary::last_error() {
  return error_text().empty() ? "it gave no reason" : error_text();
}

void GlfwLibrary::clear_error() {
  error_text().clear();
}

std::string no_display_reason() {
  if (!environment("DISPLAY").empty() || !environment("WAYLAND_DISPLAY").empty()) return "";
  return "there is no display: neither DISPLAY (X11) nor WAYLAND_DISPLAY is set";
}

}  // namespace mote::render
