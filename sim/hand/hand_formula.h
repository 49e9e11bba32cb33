#pragma once

#include "engine/math/vec.h"
#include "sim/space/image_formula.h"

namespace mote::sim {

using engine::Vec3;

/// Acceleration of the body of a hand: of a spring to the nearest image of the target, and of a
/// damper at rest. 20 flops.
template <class T>
struct HandFormula {
  Vec3<T> target;                  ///< [length]
  T stiffness, damping;            ///< [1 / time^2], [1 / time]
  T period[3], inverse_period[3];  ///< lengths of periodic axes and their inverses; 0 along others

  MOTE_FORMULA Vec3<T> operator()(const Vec3<T>& x, const Vec3<T>& v) const {
    const Vec3<T> d{nearest_image(target.x - x.x, period[0], inverse_period[0]),
                    nearest_image(target.y - x.y, period[1], inverse_period[1]),
                    nearest_image(target.z - x.z, period[2], inverse_period[2])};
    return stiffness * d - damping * v;
  }
};

/// The momentum that a force gives, summed from evaluation to evaluation by the trapezoid rule:
/// that of kicks by half a step before and after each. An integrator that goes back in time takes
/// back what it gave.
struct HandImpulse {
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
