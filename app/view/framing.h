#pragma once

#include "app/view/model.h"

namespace mote::app {

/// The part of the surface that panels leave free, in pixels.
struct FreeArea {
  double left = 0, right = 1, top = 0, bottom = 1;
  double width() const { return right - left; }
  double height() const { return bottom - top; }
};
FreeArea free_area(const Model& model, int width, int height);

/// A camera frames for the whole height of a surface; what is free of it is seen from so many times
/// further away.
double farther(const Model& model, int width, int height);

/// The camera's viewpoint, with what it looks at in the middle of the free area.
render::Viewpoint viewpoint_in(const Model& model, int width, int height);

/// The camera that a scene asks for, or that shows all bodies, in the free area.
render::OrbitCamera first_camera(const Model& model, int width, int height);
/// Lets the camera glide to where all bodies are seen.
void frame_all(Model& model, int width, int height);

/// Names of bodies and where they stand on the surface.
struct NameTag {
  float x, y;
  std::string name;
};
std::vector<NameTag> name_tags(const Model& model, int width, int height);

}  // namespace mote::app
