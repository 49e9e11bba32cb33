#pragma once

#include <cstdint>

#include "engine/params.h"
#include "sim/initial/bodies.h"

namespace mote::sim {

/// A box of uniform density about the origin, a cube if its sides are equal. Not in equilibrium.
struct Cube {
  std::int64_t n = 1;           ///< bodies, of equal mass
  double mass = 1;              ///< total mass
  engine::Vec3d size{1, 1, 1};  ///< sides along x, y and z, length
  double dispersion = 0;        ///< velocity dispersion, see Stir
  double spin = 0;
};

const engine::ParamTable<Cube>& cube_table();

Bodies make(const Cube& cube, const MakeContext& context);

}  // namespace mote::sim
