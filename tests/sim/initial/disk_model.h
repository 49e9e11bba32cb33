#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "tests/sim/initial/statistics.h"

namespace mote::test {

inline double radius_of(engine::Vec3d r) {
  return std::hypot(r.x, r.y);
}
inline double outward(engine::Vec3d r, engine::Vec3d v) {
  return (r.x * v.x + r.y * v.y) / radius_of(r);
}
inline double around(engine::Vec3d r, engine::Vec3d v) {
  return (r.x * v.y - r.y * v.x) / radius_of(r);
}

/// Properties of the razor-thin disk with G = Rd = 1, computed independently of the generator
/// (Freeman 1970, eq. 12).
struct Freeman {
  double central_density;

  double circular2(double radius) const {
    const double y = 0.5 * radius;
    return 4 * std::numbers::pi * central_density * y * y *
           (std::cyl_bessel_i(0.0, y) * std::cyl_bessel_k(0.0, y) -
            std::cyl_bessel_i(1.0, y) * std::cyl_bessel_k(1.0, y));
  }
  /// kappa^2 = R dOmega^2/dR + 4 Omega^2 = (dv^2/dR) / R + 2 v^2 / R^2.
  double kappa(double radius) const {
    const double h = 1e-4 * radius;
    const double slope = (circular2(radius + h) - circular2(radius - h)) / (2 * h);
    return std::sqrt(slope / radius + 2 * circular2(radius) / (radius * radius));
  }
  double toomre_dispersion(double radius, double q) const {
    return 3.36 * q * central_density * std::exp(-radius) / kappa(radius);
  }
};

inline Freeman freeman_of(double cutoff) {
  return {1 / (2 * std::numbers::pi * (1 - (1 + cutoff) * std::exp(-cutoff)))};
}

/// f(R, position, velocity) of the bodies between two radii.
template <class Function>
std::vector<double> within(const sim::Bodies& bodies, double low, double high, Function&& f) {
  std::vector<double> values;
  for (std::size_t i = 0; i < bodies.mass.size(); ++i)
    if (const double r = radius_of(bodies.position[i]); r >= low && r < high)
      values.push_back(f(r, bodies.position[i], bodies.velocity[i]));
  return values;
}

}  // namespace mote::test
