#pragma once

#include "app/view/window_state.h"

namespace mote::app {

/// Writes the complete scene as JSON into the current folder, with the current live parameters,
/// view and camera. Notifies of the file name.
void save_scene(WindowState& model);

/// Requests a checkpoint of the current state. Notifies of the file name.
void save_checkpoint(WindowState& model);

}  // namespace mote::app
