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
  /// Its time derivative, at a velocity and the acceleration by all forces.
  MOTE_FORMULA Vec3<T> jerk(const Vec3<T>& v, const Vec3<T>& a) const {
    return -stiffness * v - damping * a;
  }
};

}  // namespace mote::sim
