#pragma once

#include "engine/math/vec.h"

namespace mote::sim {

/// Sums over the bodies for their temperature: that of thermal() if momentum is conserved,
/// otherwise of all kinetic energy.
struct KineticSums {
  double kinetic = 0, mass = 0;
  engine::Vec3d momentum{};

  MOTE_HOST_DEVICE KineticSums& operator+=(const KineticSums& o) {
    kinetic += o.kinetic, mass += o.mass, momentum += o.momentum;
    return *this;
  }
  /// Velocity of the centre of mass.
  MOTE_HOST_DEVICE engine::Vec3d centre_velocity() const {
    return mass > 0 ? (1 / mass) * momentum : engine::Vec3d{};
  }
  /// Kinetic energy relative to the centre of mass.
  MOTE_HOST_DEVICE double thermal() const {
    return kinetic - 0.5 * dot(momentum, centre_velocity());
  }
};

/// Degrees of freedom of `count` bodies: without the three of the centre of mass if momentum is
/// conserved.
MOTE_HOST_DEVICE inline double degrees_of_freedom(double count, bool momentum_conserved) {
  return 3 * (momentum_conserved && count > 1 ? count - 1 : count);
}

}  // namespace mote::sim
