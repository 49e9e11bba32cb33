#include "render/ui/event_feed.h"

#include <imgui.h>

#include <array>
#include <utility>

namespace mote::render::ui {
namespace {

using Kind = InputEvent::Kind;

bool is_button(const InputEvent& event) {
  return event.kind == Kind::mouse_down || event.kind == Kind::mouse_up;
}
bool is_key(const InputEvent& event) {
  return event.kind == Kind::key_down || event.kind == Kind::key_up;
}

/// Events that the current frame has already seen.
struct Seen {
  bool moved = false, wheel = false, text = false, any_key = false, edit_key = false,
       any_button = false;
  std::array<bool, 3> buttons{};
  std::array<bool, 512> keys{};
};

/// Whether an event must wait for the next frame: a second change of a button or key would hide the
/// first, a click and the end of a drag must be seen at their position, and text and the keys that
/// edit it in order.
bool must_wait(const InputEvent& event, const Seen& seen) {
  switch (event.kind) {
    case Kind::mouse_move:
      return seen.any_button || seen.wheel;
    case Kind::mouse_up:
      if (seen.moved) return true;
      [[fallthrough]];
    case Kind::mouse_down:
      return seen.buttons[static_cast<std::size_t>(event.button)] || seen.wheel || seen.any_key;
    case Kind::wheel:
      return seen.any_button;
    case Kind::key_down:
    case Kind::key_up:
      return seen.keys[static_cast<std::size_t>(event.key)] || seen.text || seen.any_button;
    case Kind::text:
      return seen.any_button || seen.edit_key;
    default:
      return false;
  }
}

void record(const InputEvent& event, Seen& seen) {
  if (event.kind == Kind::mouse_move) seen.moved = true;
  if (event.kind == Kind::wheel) seen.wheel = true;
  if (event.kind == Kind::text) seen.text = true;
  if (is_button(event))
    seen.any_button = seen.buttons[static_cast<std::size_t>(event.button)] = true;
  if (is_key(event)) seen.any_key = seen.keys[static_cast<std::size_t>(event.key)] = true;
  if (is_key(event) && event.key >= Key::escape && event.key < Key::left_shift)
    seen.edit_key = true;
}

void apply(const InputEvent& event, ImGuiIO& io) {
  const bool pointing =
      event.kind == Kind::mouse_move || event.kind == Kind::wheel || is_button(event);
  if (pointing) io.MousePos = {static_cast<float>(event.x), static_cast<float>(event.y)};
  if (pointing || is_key(event)) {
    io.KeyShift = event.modifiers.shift;
    io.KeyCtrl = event.modifiers.control;
    io.KeyAlt = event.modifiers.alt;
  }
  if (is_button(event)) io.MouseDown[event.button] = event.kind == Kind::mouse_down;
  if (is_key(event)) io.KeysDown[static_cast<int>(event.key)] = event.kind == Kind::key_down;
  if (event.kind == Kind::wheel) io.MouseWheel += static_cast<float>(event.amount);
  if (event.kind == Kind::text) io.AddInputCharacter(static_cast<unsigned>(event.character));
}

bool is_valid(const InputEvent& event) {
  const int key = static_cast<int>(event.key);
  return (!is_button(event) || (event.button >= 0 && event.button <= 2)) &&
         (!is_key(event) || (key > 0 && key < 512));
}

}  // namespace

void EventFeed::map_keys(ImGuiIO& io) {
  const std::array<std::pair<ImGuiKey_, Key>, 15> keys = {{{ImGuiKey_Tab, Key::tab},
                                                           {ImGuiKey_LeftArrow, Key::left},
                                                           {ImGuiKey_RightArrow, Key::right},
                                                           {ImGuiKey_UpArrow, Key::up},
                                                           {ImGuiKey_DownArrow, Key::down},
                                                           {ImGuiKey_PageUp, Key::page_up},
                                                           {ImGuiKey_PageDown, Key::page_down},
                                                           {ImGuiKey_Home, Key::home},
                                                           {ImGuiKey_End, Key::end},
                                                           {ImGuiKey_Insert, Key::insert},
                                                           {ImGuiKey_Delete, Key::remove},
                                                           {ImGuiKey_Backspace, Key::backspace},
                                                           {ImGuiKey_Space, Key::space},
                                                           {ImGuiKey_Enter, Key::enter},
                                                           {ImGuiKey_Escape, Key::escape}}};
  for (const auto& [theirs, ours] : keys) io.KeyMap[theirs] = static_cast<int>(ours);
  const std::array<std::pair<ImGuiKey_, char>, 6> letters = {{{ImGuiKey_A, 'A'},
                                                              {ImGuiKey_C, 'C'},
                                                              {ImGuiKey_V, 'V'},
                                                              {ImGuiKey_X, 'X'},
                                                              {ImGuiKey_Y, 'Y'},
                                                              {ImGuiKey_Z, 'Z'}}};
  for (const auto& [theirs, ours] : letters) io.KeyMap[theirs] = ours;
}

std::vector<InputEvent> EventFeed::feed(ImGuiIO& io) {
  std::vector<InputEvent> used;
  Seen seen;
  while (!waiting_.empty() && !(is_valid(waiting_.front()) && must_wait(waiting_.front(), seen))) {
    const InputEvent event = waiting_.front();
    waiting_.pop_front();
    if (!is_valid(event)) continue;
    record(event, seen);
    apply(event, io);
    used.push_back(event);
  }
  return used;
}

}  // namespace mote::render::ui
