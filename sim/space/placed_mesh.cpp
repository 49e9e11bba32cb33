#include "sim/space/placed_mesh.h"

#include <algorithm>

namespace mote::sim {

using engine::Vec3d;

PlacedMesh placed_mesh(const MeshObstacle& o) {
  constexpr double far = 8;  // diagonals of the mesh: positions lose three bits
  PlacedMesh placed{o.surface ? *o.surface : closed_surface(read_mesh(o.file), o.file),
                    axes_turned(o.rotation), o.center};
  std::vector<Vec3d>& vertices = placed.surface.vertices;
  for (Vec3d& v : vertices) v = o.scale * v;
  Vec3d low = vertices[0], high = low;
  for (const Vec3d& v : vertices) {
    low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
    high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
  }
  const Vec3d middle = 0.5 * (low + high);
  if (!(length(middle) > far * length(high - low))) return placed;
  for (Vec3d& v : vertices) v = v - middle;
  placed.origin += middle.x * placed.axes.x + middle.y * placed.axes.y + middle.z * placed.axes.z;
  return placed;
}

}  // namespace mote::sim
