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

/// The part of their motion that bodies keep, which therefore is not heat.
enum class Conserved {
  nothing,
  momentum,
  direction,  ///< and the direction of the angular momentum: where velocities are scaled
  at_rest     ///< and the angular momentum, which is 0
};

/// The last two in open space: relative to the largest that it could be, (2 kinetic x moment of
/// inertia)^(1/2), an angular momentum below a thousandth is rounding.
MOTE_HOST_DEVICE inline bool turns(engine::Vec3d angular_momentum, double kinetic, double inertia) {
  return dot(angular_momentum, angular_momentum) > 1e-6 * 2 * kinetic * inertia;
}

/// Dimensions of the momenta of `count` bodies: 3 n, less the constraints on them. Angular momentum
/// gives three, or two for the pair, which has no turn about its axis; its direction gives one
/// less. (A larger molecule that is straight at rest has one more: its bends.)
MOTE_HOST_DEVICE inline double degrees_of_freedom(double count, Conserved conserved) {
  if (conserved == Conserved::nothing || count < 2) return 3 * count;
  const double momentum = 3 * (count - 1), rotations = count < 3 ? 2 : 3;
  if (conserved == Conserved::momentum) return momentum;
  return momentum - rotations + (conserved == Conserved::direction ? 1 : 0);
}

}  // namespace mote::sim
