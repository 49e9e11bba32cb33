#pragma once

#include <functional>
#include <vector>

#include "engine/math/vec.h"

namespace mote::sim {

/// Depth of each particle below the surface [length], which is half a spacing above the highest
/// particle of its column. Columns are one `spacing` wide, along `weight` (not zero); a gap of more
/// than 2.5 spacings separates two bodies of fluid with a surface each. A column whose top touches
/// a solid, as below a lid, has no surface: it has that of the nearest column which does, in steps
/// from column to column through the fluid; fluid without any has the highest of its own tops.
/// `solid_at`: whether a point is in a solid.
std::vector<double> depths_of(
    const std::vector<engine::Vec3d>& positions, engine::Vec3d weight, double spacing,
    const std::function<bool(engine::Vec3d)>& solid_at = [](engine::Vec3d) { return false; });

}  // namespace mote::sim
