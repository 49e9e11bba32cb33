#include "render/ui/layer.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "render/ui/event_feed.h"
#include "render/ui/focus.h"
#include "render/ui/toolkit.h"

namespace mote::render::ui {
namespace {

Pointer pointer_of(ImGuiMouseCursor cursor) {
  switch (cursor) {
    case ImGuiMouseCursor_TextInput:
      return Pointer::text;
    case ImGuiMouseCursor_Hand:
      return Pointer::hand;
    case ImGuiMouseCursor_ResizeEW:
      return Pointer::sideways;
    case ImGuiMouseCursor_ResizeNS:
      return Pointer::up_down;
    default:
      return Pointer::arrow;
  }
}

/// Keys that are the panel's while it has the keyboard.
bool moves_in_panels(Key key) {
  return (key >= Key::escape && key <= Key::end && key != Key::insert && key != Key::remove) ||
         key == Key::space;
}

/// Enter does what Space does, as everywhere. Text fields get the real one.
std::vector<InputEvent> with_enter_as_space(std::span<const InputEvent> events) {
  std::vector<InputEvent> all;
  for (const InputEvent& event : events) {
    if (event.key != Key::enter || event.kind != InputEvent::Kind::key_down) all.push_back(event);
    if (event.key != Key::enter) continue;
    all.push_back(event);
    all.back().key = Key::space;
  }
  return all;
}

}  // namespace

struct Layer::Parts {
  explicit Parts(Surface& where) : surface(where) {}

  Surface& surface;
  Toolkit toolkit;
  EventFeed feed;
  std::vector<InputEvent> scene_events;
  std::string clipboard;  // owns the text last passed to ImGui
  double zoom = 1;
  bool on_white = false;
};

Layer::Layer(Surface& surface) : parts_(std::make_unique<Parts>(surface)) {
  ImGuiIO& io = ImGui::GetIO();
  io.BackendPlatformName = "mote";
  io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  io.MousePos = {-1, -1};
  EventFeed::map_keys(io);
  io.ClipboardUserData = parts_.get();
  io.GetClipboardTextFn = [](void* data) {
    auto& parts = *static_cast<Parts*>(data);
    parts.clipboard = parts.surface.clipboard();
    return parts.clipboard.c_str();
  };
  io.SetClipboardTextFn = [](void* data, const char* text) {
    static_cast<Parts*>(data)->surface.set_clipboard(text);
  };
}

Layer::~Layer() = default;

void Layer::begin(std::span<const InputEvent> events, double seconds) {
  const Surface& surface = parts_->surface;
  parts_->toolkit.begin(surface.width(), surface.height(), surface.scale() * parts_->zoom,
                        parts_->on_white);
  ImGuiIO& io = ImGui::GetIO();
  io.DeltaTime = static_cast<float>(std::max(seconds, 1e-5));  // ImGui needs a positive time
  KeyboardFocus& focus = parts_->toolkit.focus();
  const bool in_panel = focus.is_on();
  if (in_panel && !wants_keyboard())
    parts_->feed.add(with_enter_as_space(events));
  else
    parts_->feed.add(events);
  const std::vector<InputEvent> used = parts_->feed.feed(io);
  for (const InputEvent& event : used) {
    // Escape first ends what is open or edited in the panel.
    const bool busy =
        ImGui::IsAnyItemActive() ||
        ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
    const bool escapes = event.kind == InputEvent::Kind::key_down && event.key == Key::escape;
    if (event.kind == InputEvent::Kind::mouse_down || (escapes && !busy)) focus.leave();
  }
  focus.begin_frame();
  ImGui::NewFrame();
  parts_->scene_events.clear();
  for (const InputEvent& event : used) {
    using Kind = InputEvent::Kind;
    const bool is_mouse = event.kind == Kind::mouse_move || event.kind == Kind::mouse_down ||
                          event.kind == Kind::wheel;
    const bool is_keyboard =
        event.kind == Kind::key_down || event.kind == Kind::key_repeat || event.kind == Kind::text;
    if ((is_mouse && wants_mouse()) || (is_keyboard && wants_keyboard())) continue;
    if (is_keyboard && in_panel && moves_in_panels(event.key)) continue;
    parts_->scene_events.push_back(event);
  }
}

void Layer::end() {
  ImGui::Render();
  parts_->surface.set_pointer(pointer_of(ImGui::GetMouseCursor()));
}

void Layer::draw() {
  parts_->toolkit.draw(Toolkit::Part::without_notices, parts_->surface.framebuffer());
}

void Layer::draw_notices() {
  parts_->toolkit.draw(Toolkit::Part::notices, parts_->surface.framebuffer());
}

bool Layer::wants_mouse() const {
  return ImGui::GetIO().WantCaptureMouse;
}
bool Layer::wants_keyboard() const {
  return ImGui::GetIO().WantTextInput;
}
std::span<const InputEvent> Layer::scene_events() const {
  return parts_->scene_events;
}
bool Layer::pending() const {
  return !parts_->feed.empty();
}
void Layer::focus_panel(int by) {
  parts_->toolkit.use();
  parts_->toolkit.focus().cycle(by);
}
void Layer::set_zoom(double zoom) {
  parts_->zoom = std::isfinite(zoom) ? std::clamp(zoom, 0.5, 4.0) : 1;
}
void Layer::set_on_white(bool on) {
  parts_->on_white = on;
}
double Layer::zoom() const {
  return parts_->zoom;
}

}  // namespace mote::render::ui
