#pragma once

#include <memory>
#include <string>

namespace mote::render {

/// GLFW, started as long as somebody holds it. For the main thread.
class GlfwLibrary {
 public:
  /// Starts it if nobody has. Throws engine::SystemError, which says which display was tried, when
  /// it cannot.
  static std::shared_ptr<GlfwLibrary> get();
  ~GlfwLibrary();
  GlfwLibrary(const GlfwLibrary&) = delete;
  GlfwLibrary& operator=(const GlfwLibrary&) = delete;

  /// What GLFW complained about last, in words.
  static std::string complaint();
  static void forget_complaint();

  /// What to do instead of opening a window.
  static constexpr const char* remedy =
      "run it headless: mote run SCENE --picture, or watch offscreen: mote view SCENE --offscreen "
      "...";

 private:
  GlfwLibrary();
};

}  // namespace mote::render
