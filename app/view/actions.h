#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/view/model.h"

namespace mote::app {

/// An action of keys: the single description used for key handling, the help window and the docs.
struct Action {
  std::vector<std::string> keys;  ///< alternatives: "Space", "Ctrl+S"
  std::string what;               ///< "run or pause"
  std::function<void(Model&)> go;
};

const std::vector<Action>& actions();

/// An action of the mouse: "left drag", "rotate".
struct MouseAction {
  std::string how, what;
};
const std::vector<MouseAction>& mouse_actions();

/// Runs the action of a key; false if it has none.
bool act(Model& model, render::Key key, const render::Modifiers& modifiers);

}  // namespace mote::app
