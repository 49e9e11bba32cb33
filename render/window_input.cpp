#include "render/window_input.h"

#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace mote::render {
namespace {

// The named keys have the same codes as in GLFW.
static_assert(static_cast<int>(Key::escape) == GLFW_KEY_ESCAPE &&
              static_cast<int>(Key::end) == GLFW_KEY_END &&
              static_cast<int>(Key::f1) == GLFW_KEY_F1 &&
              static_cast<int>(Key::f12) == GLFW_KEY_F12 &&
              static_cast<int>(Key::left_shift) == GLFW_KEY_LEFT_SHIFT &&
              static_cast<int>(Key::left_alt) == GLFW_KEY_LEFT_ALT);

constexpr std::array<std::pair<int, Key>, 9> equivalents = {
    {{GLFW_KEY_RIGHT_SHIFT, Key::left_shift},
     {GLFW_KEY_RIGHT_CONTROL, Key::left_control},
     {GLFW_KEY_RIGHT_ALT, Key::left_alt},
     {GLFW_KEY_KP_ENTER, Key::enter},
     {GLFW_KEY_KP_DECIMAL, Key::period},
     {GLFW_KEY_KP_SUBTRACT, Key::minus},
     {GLFW_KEY_KP_ADD, Key::equal},
     {GLFW_KEY_KP_EQUAL, Key::equal},
     {GLFW_KEY_KP_DIVIDE, static_cast<Key>('/')}}};

/// GLFW identifies keys by their position on a US keyboard, Key by their label. Keys whose label is
/// not on a US keyboard keep the Key of their position.
Key key_of(int key, int scancode) {
  for (const auto& [code, equivalent] : equivalents)
    if (key == code) return equivalent;
  if (key >= GLFW_KEY_KP_0 && key <= GLFW_KEY_KP_9)
    return static_cast<Key>('0' + key - GLFW_KEY_KP_0);
  if (key == GLFW_KEY_UNKNOWN || key >= GLFW_KEY_ESCAPE) {
    const bool known = (key >= GLFW_KEY_ESCAPE && key <= GLFW_KEY_END) ||
                       (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F12) ||
                       (key >= GLFW_KEY_LEFT_SHIFT && key <= GLFW_KEY_LEFT_ALT);
    return known ? static_cast<Key>(key) : Key::none;
  }
  const char* label = key == GLFW_KEY_SPACE ? nullptr : glfwGetKeyName(key, scancode);
  const std::string_view name = label ? label : "";
  if (name.size() != 1) return static_cast<Key>(key);
  if (name[0] >= 'a' && name[0] <= 'z') return static_cast<Key>(name[0] - 'a' + 'A');
  constexpr std::string_view punctuation = "`-=[]\\;',./";
  return static_cast<Key>(punctuation.find(name[0]) != std::string_view::npos ? name[0] : key);
}

Modifiers modifiers_of(int bits) {
  return {(bits & GLFW_MOD_SHIFT) != 0, (bits & GLFW_MOD_CONTROL) != 0, (bits & GLFW_MOD_ALT) != 0};
}

}  // namespace

WindowInput::WindowInput(GLFWwindow* window) : window_(window) {
  glfwSetWindowUserPointer(window, this);
  install(window);
}

WindowInput::~WindowInput() {
  glfwSetKeyCallback(window_, nullptr);
  glfwSetCharCallback(window_, nullptr);
  glfwSetCursorPosCallback(window_, nullptr);
  glfwSetCursorEnterCallback(window_, nullptr);
  glfwSetMouseButtonCallback(window_, nullptr);
  glfwSetScrollCallback(window_, nullptr);
  glfwSetDropCallback(window_, nullptr);
  glfwSetWindowCloseCallback(window_, nullptr);
}

WindowInput& WindowInput::of(GLFWwindow* window) {
  return *static_cast<WindowInput*>(glfwGetWindowUserPointer(window));
}

void WindowInput::install(GLFWwindow* window) {
  glfwSetKeyCallback(window, [](GLFWwindow* w, int key, int scancode, int action, int bits) {
    of(w).on_key(key, scancode, action, bits);
  });
  glfwSetCharCallback(window,
                      [](GLFWwindow* w, unsigned character) { of(w).on_character(character); });
  glfwSetCursorPosCallback(window, [](GLFWwindow* w, double x, double y) { of(w).on_mouse(x, y); });
  glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int entered) {
    if (!entered) of(w).on_leave();
  });
  glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int button, int action, int bits) {
    of(w).on_button(button, action, bits);
  });
  glfwSetScrollCallback(window,
                        [](GLFWwindow* w, double, double amount) { of(w).on_wheel(amount); });
  glfwSetDropCallback(window, [](GLFWwindow* w, int count, const char** paths) {
    if (count > 0) of(w).on_drop(paths[0]);
  });
  glfwSetWindowCloseCallback(window, [](GLFWwindow* w) {
    // The receiver of the event decides whether the window closes.
    glfwSetWindowShouldClose(w, GLFW_FALSE);
    of(w).push(of(w).event(InputEvent::Kind::close));
  });
}

std::vector<InputEvent> WindowInput::drain() {
  return std::exchange(events_, {});
}

InputEvent WindowInput::event(InputEvent::Kind kind) const {
  InputEvent result = mouse_event(kind, x_, y_);
  result.modifiers = modifiers_;
  return result;
}

void WindowInput::on_key(int key, int scancode, int action, int bits) {
  const Key named = key_of(key, scancode);
  modifiers_ = modifiers_of(bits);
  // On X11 `bits` are the modifiers before the event: correct them if this key is a modifier.
  const bool held = action != GLFW_RELEASE;
  if (named == Key::left_shift) modifiers_.shift = held;
  if (named == Key::left_control) modifiers_.control = held;
  if (named == Key::left_alt) modifiers_.alt = held;
  if (named == Key::none) return;
  InputEvent result = event(action == GLFW_PRESS    ? InputEvent::Kind::key_down
                            : action == GLFW_REPEAT ? InputEvent::Kind::key_repeat
                                                    : InputEvent::Kind::key_up);
  result.key = named;
  push(result);
}

void WindowInput::on_character(unsigned character) {
  InputEvent result = event(InputEvent::Kind::text);
  result.character = static_cast<char32_t>(character);
  push(result);
}

void WindowInput::on_drop(const char* path) {
  InputEvent result = event(InputEvent::Kind::drop);
  result.path = path;
  push(result);
}

void WindowInput::on_mouse(double x, double y) {
  int width = 0, height = 0, pixels_x = 0, pixels_y = 0;
  glfwGetWindowSize(window_, &width, &height);
  glfwGetFramebufferSize(window_, &pixels_x, &pixels_y);
  x_ = width > 0 ? x * pixels_x / width : x;
  y_ = height > 0 ? y * pixels_y / height : y;
  push(event(InputEvent::Kind::mouse_move));
}

void WindowInput::on_leave() {
  for (int button = 0; button <= 2; ++button)
    if (glfwGetMouseButton(window_, button) == GLFW_PRESS) return;  // a drag continues outside
  x_ = y_ = -1;
  push(event(InputEvent::Kind::mouse_move));
}

void WindowInput::on_button(int button, int action, int bits) {
  if (button > GLFW_MOUSE_BUTTON_MIDDLE) return;
  modifiers_ = modifiers_of(bits);
  InputEvent result =
      event(action == GLFW_PRESS ? InputEvent::Kind::mouse_down : InputEvent::Kind::mouse_up);
  result.button = button;
  push(result);
}

void WindowInput::on_wheel(double amount) {
  if (amount == 0) return;  // horizontal scrolling only
  InputEvent result = event(InputEvent::Kind::wheel);
  result.amount = amount;
  push(result);
}

}  // namespace mote::render
