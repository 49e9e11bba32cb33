#pragma once

#include "engine/math/vec.h"

namespace mote::sim {

/// The momentum that a force gives, summed from evaluation to evaluation by the trapezoid rule:
/// that of kicks by half a step before and after each. An integrator that goes back in time takes
/// back what it gave.
struct Impulse {
  engine::Vec3d momentum{};  ///< [mass velocity]
  engine::Vec3d force{};     ///< at the last evaluation
  double time = 0;           ///< of the last evaluation
  int evaluations = 0;       ///< 0 or 1: whether there was one

  MOTE_HOST_DEVICE void add(double now, const engine::Vec3d& next) {
    if (evaluations > 0) momentum += 0.5 * (now - time) * (force + next);
    force = next;
    time = now;
    evaluations = 1;
  }
};

}  // namespace mote::sim
