#pragma once

#include "app/view/model.h"

namespace mote::app {

/// How the scene is to be drawn; `seconds` since the last picture.
render::ViewStyle style_of(const Model& model, double seconds);

/// What is drawn beside bodies: box, axes, orbits, the mark of the picked body.
render::Extras extras_of(const Model& model);

}  // namespace mote::app
