#pragma once

#include <string>
#include <vector>

namespace mote::render::ui {

/// The keyboard's way through panels. Keys belong to the scene until it enters a panel; then
/// arrows, Space, Enter and Tab move and act in that panel, until it is left.
class KeyboardFocus {
 public:
  /// Before each frame of the user interface.
  void begin_frame();
  /// Enters the next (1) or previous (-1) panel of those of the last frame, with the next frame.
  void cycle(int by);
  void leave();
  bool is_on() const { return on_; }

  /// Panels call this before they begin, each frame. `panel` may have other windows in other
  /// frames, such as the button of a folded panel. True if the window now gets the keyboard: call
  /// enter_window once it has begun.
  bool visit(const std::string& panel, const std::string& window);
  static void enter_window();

 private:
  bool on_ = false;
  std::string at_, window_;          ///< the panel with the keyboard, and its window
  std::vector<std::string> panels_;  ///< panels of this frame, in their order
};

}  // namespace mote::render::ui
