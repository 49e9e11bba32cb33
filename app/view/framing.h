#pragma once

#include "app/view/window_state.h"
#include "render/ui/caption.h"

namespace mote::app {

/// The part of the surface that panels leave free [pixels].
struct FreeArea {
  double left = 0, right = 1, top = 0, bottom = 1;
  double width() const { return right - left; }
  double height() const { return bottom - top; }
};
FreeArea free_area(const WindowState& model, int width, int height);

/// The distance of the camera to store in a scene, so that opening it in this window gives the
/// present one.
double distance_to_save(const WindowState& model);
/// Fits the camera to the free area, after the size of the surface or the panels have changed.
/// True if it moves.
bool refit(WindowState& model, int width, int height);

/// The camera's viewpoint, with its target in the centre of the free area.
render::Viewpoint viewpoint_in(const WindowState& model, int width, int height);

/// The camera of the scene, with defaults that frame all bodies in the free area.
render::OrbitCamera first_camera(WindowState& model, int width, int height);
/// Starts a glide of the camera that frames all bodies.
void frame_all(WindowState& model, int width, int height);

/// Names of bodies at their positions on the surface.
std::vector<render::ui::PlacedWords> name_tags(const WindowState& model, int width, int height);

}  // namespace mote::app
