#pragma once

#include <cstdint>
#include <optional>

#include "app/view/window_state.h"
#include "render/input.h"
#include "render/polyline.h"

/// With Ctrl, the mouse pulls a body by a damped spring; with Ctrl and Shift, it adds some. Changes
/// are edits, which take effect between steps.
namespace mote::app {

/// A press of the left button with Ctrl. `body`: the one below the pointer.
void press_hand(WindowState& model, const render::InputEvent& event,
                std::optional<std::uint32_t> body, int width, int height);
/// The button was released.
void release_hand(WindowState& model);
/// Once in each frame.
void update_hand(WindowState& model, int width, int height);
/// A line from what is held or thrown to the pointer, relative to the frame's origin.
std::optional<render::Polyline> hand_line(const WindowState& model);
/// The default radius of a cluster, a part of the scene's size [length].
double usual_radius(const WindowState& model);

}  // namespace mote::app
