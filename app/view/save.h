#pragma once

#include "app/view/model.h"

namespace mote::app {

/// Writes the scene in full, as JSON, with live parameters, look and camera as they are now, beside
/// where the program runs. Says where.
void save_scene(Model& model);

/// Asks for a checkpoint of the state as it is now. Says where.
void save_checkpoint(Model& model);

}  // namespace mote::app
