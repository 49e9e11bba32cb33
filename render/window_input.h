#pragma once

#include <vector>

#include "render/input.h"

struct GLFWwindow;

namespace mote::render {

/// Turns GLFW's callbacks into InputEvents. While it lives it owns the window's user pointer and
/// input callbacks.
class WindowInput {
 public:
  explicit WindowInput(GLFWwindow* window);
  ~WindowInput();
  WindowInput(const WindowInput&) = delete;
  WindowInput& operator=(const WindowInput&) = delete;

  bool empty() const { return events_.empty(); }
  /// Removes and returns all events since the last call.
  std::vector<InputEvent> drain();

 private:
  static WindowInput& of(GLFWwindow* window);
  void install(GLFWwindow* window);
  void on_key(int key, int scancode, int action, int modifiers);
  void on_character(unsigned character);
  void on_mouse(double x, double y);
  void on_leave();
  void on_button(int button, int action, int modifiers);
  void on_wheel(double amount);
  void on_drop(const char* path);
  /// An event with the current mouse position and modifiers.
  InputEvent event(InputEvent::Kind kind) const;
  void push(const InputEvent& event) noexcept { events_.push_back(event); }

  GLFWwindow* window_;
  std::vector<InputEvent> events_;
  Modifiers modifiers_;
  double x_ = -1, y_ = -1;  // position of the mouse [pixels]
};

}  // namespace mote::render
