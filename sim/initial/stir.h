#pragma once

#include "sim/initial/draw.h"

namespace mote::sim {

/// Velocities of bodies that no gravity has arranged: a rigid turn, and on top random ones that are
/// normal and isotropic (Maxwellian).
struct Stir {
  double dispersion = 0;  ///< of one component, >= 0
  double spin = 0;        ///< angular velocity about the z axis, radians per time

  /// Draws nothing without dispersion.
  engine::Vec3d velocity(engine::Random& random, engine::Vec3d position) const {
    const engine::Vec3d turn{-spin * position.y, spin * position.x, 0};
    if (dispersion == 0) return turn;
    return turn + dispersion * draw_normal(random);
  }
};

}  // namespace mote::sim
