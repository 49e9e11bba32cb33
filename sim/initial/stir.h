#pragma once

#include "sim/initial/draw.h"

namespace mote::sim {

/// Velocities of models without equilibrium: a rigid rotation plus isotropic normal (Maxwellian)
/// random velocities.
struct Stir {
  double dispersion = 0;  ///< per component, >= 0
  double spin = 0;        ///< angular velocity about the z axis, radians per time

  /// Draws no random numbers if `dispersion` is 0.
  engine::Vec3d velocity(engine::Random& random, engine::Vec3d position) const {
    const engine::Vec3d rotation{-spin * position.y, spin * position.x, 0};
    if (dispersion == 0) return rotation;
    return rotation + dispersion * draw_normal(random);
  }
};

}  // namespace mote::sim
