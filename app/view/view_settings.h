#pragma once

#include "app/view/window_state.h"

namespace mote::app {

/// How to draw the scene; `seconds` since the last frame.
render::ViewStyle style_of(const WindowState& model, double seconds);

/// Gathers what is drawn besides bodies: box, axes, orbits, the marker of the picked body.
render::Extras extras_of(const WindowState& model);

}  // namespace mote::app
