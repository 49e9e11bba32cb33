#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "engine/math/vec.h"

namespace mote::sim {

/// Cuts a plane polygon of n >= 3 corners, convex or not, along diagonals into n - 2 triangles of
/// the same orientation, by clipping ears (Meisters 1975, American Mathematical Monthly 82, 648).
/// Corners on a straight side are kept. Returns indices into `corners`. A polygon that is not plane
/// is cut as its projection along the normal of Newell.
std::vector<std::array<std::size_t, 3>> triangles_of(std::span<const engine::Vec3d> corners);

}  // namespace mote::sim
