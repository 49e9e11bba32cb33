#pragma once

#include <memory>
#include <string>

namespace mote::render {

/// Keeps GLFW initialised while it lives. For the main thread.
class GlfwLibrary {
 public:
  /// Initialises GLFW on the first call. Throws engine::SystemError, which names the display that
  /// was tried, when it cannot.
  static std::shared_ptr<GlfwLibrary> get();
  ~GlfwLibrary();
  GlfwLibrary(const GlfwLibrary&) = delete;
  GlfwLibrary& operator=(const GlfwLibrary&) = delete;

  /// GLFW's last error message.
  static std::string last_error();
  static void clear_error();

  /// Advice when no window can be opened.
  static constexpr const char* remedy =
      "run it headless: mote run SCENE --picture, or watch offscreen: mote view SCENE --offscreen "
      "...";

 private:
  GlfwLibrary();
};

}  // namespace mote::render
