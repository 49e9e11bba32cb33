#include "render/ui/focus.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>

namespace mote::render::ui {

void KeyboardFocus::begin_frame() {
  // The panel may be gone, by a key of the scene.
  if (on_ && std::find(panels_.begin(), panels_.end(), at_) == panels_.end()) leave();
  panels_.clear();
  // Without it, Dear ImGui would take the keys of the scene after any click on a panel.
  int& flags = ImGui::GetIO().ConfigFlags;
  flags = on_ ? flags | ImGuiConfigFlags_NavEnableKeyboard
              : flags & ~ImGuiConfigFlags_NavEnableKeyboard;
}

void KeyboardFocus::cycle(int by) {
  if (panels_.empty()) return;
  const auto count = static_cast<int>(panels_.size());
  const auto now = std::find(panels_.begin(), panels_.end(), at_);
  // The first time into the first one, and later into the one that was left.
  const int index = now == panels_.end() ? (by > 0 ? 0 : -1)
                                         : static_cast<int>(now - panels_.begin()) + (on_ ? by : 0);
  on_ = true;
  at_ = panels_[static_cast<std::size_t>((index + count) % count)];
  window_.clear();
}

void KeyboardFocus::leave() {
  if (!on_) return;
  on_ = false;
  ImGui::SetWindowFocus(nullptr);
}

bool KeyboardFocus::visit(const std::string& panel, const std::string& window) {
  panels_.push_back(panel);
  if (!on_ || panel != at_ || window == window_) return false;
  window_ = window;
  ImGui::SetNextWindowFocus();
  return true;
}

void KeyboardFocus::enter_window() {
  ImGui::NavInitWindow(ImGui::GetCurrentWindow(), false);
  // The first widget shows that it has the keyboard.
  ImGuiContext& context = *ImGui::GetCurrentContext();
  context.NavDisableHighlight = false;
  context.NavDisableMouseHover = true;
}

}  // namespace mote::render::ui
