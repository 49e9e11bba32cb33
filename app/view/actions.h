#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "app/view/window_state.h"

namespace mote::app {

/// An action of keys: the single description used for key handling, the help window and the docs.
struct Action {
  using Go = std::function<void(WindowState&)>;

  Action(std::vector<std::string> of, std::string does, std::vector<Go> each, std::string name = "")
      : keys(std::move(of)), what(std::move(does)), go(std::move(each)), label(std::move(name)) {}
  Action(std::vector<std::string> of, std::string does, Go all)
      : Action(std::move(of), std::move(does), std::vector<Go>{std::move(all)}) {}

  std::vector<std::string> keys;  ///< "Space", "Ctrl+S"
  std::string what;               ///< "run or pause"
  std::vector<Go> go;             ///< an action for each key, or one for all
  std::string label;              ///< replaces the keys in tables: "Ctrl+arrows"

  /// The keys, as tables show them.
  std::string shown(const char* separator) const;
};

const std::vector<Action>& actions();

/// An action of the mouse: "left drag", "rotate".
struct MouseAction {
  std::string how, what;
};
const std::vector<MouseAction>& mouse_actions();

/// Runs the action of a key; false if it has none.
bool act(WindowState& model, render::Key key, const render::Modifiers& modifiers);

}  // namespace mote::app
