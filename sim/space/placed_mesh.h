#pragma once

#include "sim/space/mesh.h"
#include "sim/space/obstacle_axes.h"

namespace mote::sim {

/// The surface of a mesh obstacle in its frame, at the start.
struct PlacedMesh {
  TriangleMesh surface;
  ObstacleAxes axes;
  engine::Vec3d origin;  ///< origin of the frame [length]
};

/// Reads and scales it. The origin of the frame is that of the file, at the obstacle's `center`; a
/// mesh far from it, as in map coordinates, gets one in its middle: positions relative to the frame
/// may be single precision. Throws as read_mesh and closed_surface do.
PlacedMesh placed_mesh(const MeshObstacle& obstacle);

}  // namespace mote::sim
