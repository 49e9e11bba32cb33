#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/view/model.h"

namespace mote::app {

/// Something that keys do: the one description that the keys, the help window and the docs are made
/// from.
struct Action {
  std::vector<std::string> keys;  ///< "Space", "Ctrl+S", any of them
  std::string what;               ///< "run or pause"
  std::function<void(Model&)> go;
};

const std::vector<Action>& actions();

/// What the mouse does, in the same words: "left drag", "turn".
struct MouseAction {
  std::string how, what;
};
const std::vector<MouseAction>& mouse_actions();

/// Does what a key is for; false when it is for nothing.
bool act(Model& model, render::Key key, const render::Modifiers& modifiers);

}  // namespace mote::app
