#pragma once

#include <vector>

#include "engine/math/vec.h"

namespace mote::sim {

/// How deep each place of a fluid is below the surface above it [length], half a spacing above the
/// highest particle of its column. A column is one `spacing` wide, along `weight`, which is not
/// zero; fluid above a gap of more than two spacings and a half does not rest on it.
std::vector<double> depths_of(const std::vector<engine::Vec3d>& places, engine::Vec3d weight,
                              double spacing);

}  // namespace mote::sim
