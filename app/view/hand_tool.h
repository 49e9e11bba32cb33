#pragma once

#include <cstdint>
#include <optional>

#include "app/view/added_bodies.h"

namespace mote::app {

/// The hand that the mouse is while Ctrl is held (hands.h): the choices of the panel, and the
/// drag that is under way.
struct HandTool {
  // Choices.
  Addition adds = Addition::body;
  std::int64_t count = 100;              ///< bodies of a cluster
  std::optional<double> cluster_radius;  ///< its scale [length]; default: usual_radius()
  double stream_radius = 0;              ///< [length]; 0: of two grains around one

  // The drag.
  enum class Drag { none, pull, add, pour };
  Drag drag = Drag::none;
  std::optional<std::uint32_t> body;   ///< that is pulled
  std::optional<engine::Vec3d> grip;   ///< where the drag began: its plane
  std::optional<engine::Vec3d> point;  ///< below the pointer, in that plane
  /// The point to which the session pulls, or where something will be added.
  std::optional<engine::Vec3d> placed;
  double x = 0, y = 0;              ///< position of the pointer [pixels]
  double start_x = 0, start_y = 0;  ///< position of the press
  int width = 0, height = 0;        ///< size of the surface [pixels]
  int frames_to_pour = 0;
};

}  // namespace mote::app
