#pragma once

#include <vector>

#include "engine/math/vec.h"

namespace mote::sim {

/// Depth of each particle below the surface [length], which is half a spacing above the highest
/// particle of its column. Columns are one `spacing` wide, along `weight` (not zero); a gap of more
/// than 2.5 spacings separates two bodies of fluid with a surface each.
std::vector<double> depths_of(const std::vector<engine::Vec3d>& positions, engine::Vec3d weight,
                              double spacing);

}  // namespace mote::sim
