#pragma once

#include "app/view/model.h"

namespace mote::app {

/// How to draw the scene; `seconds` since the last frame.
render::ViewStyle style_of(const Model& model, double seconds);

/// What is drawn besides bodies: box, axes, orbits, the marker of the picked body.
render::Extras extras_of(const Model& model);

}  // namespace mote::app
