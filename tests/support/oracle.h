#pragma once

#include <cmath>
#include <vector>

#include "engine/math/vec.h"
#include "sim/expansions/gravity_formula.h"
#include "sim/initial/bodies.h"
#include "sim/state.h"

namespace mote::test {

/// Reference force on one body: the formula in double, summed over all others in order, G = 1.
struct OracleForce {
  engine::Vec3d acceleration;
  double magnitude;  ///< sum of the magnitudes of all terms, the scale of round-off
};

template <class Real>
OracleForce oracle_force(const sim::StateView<Real>& s, engine::Index i, double softening) {
  using engine::Vec3d;
  Vec3d a{0, 0, 0};
  double magnitude = 0;
  for (engine::Index j = 0; j < s.count; ++j) {
    const Vec3d d = Vec3d{s.x[j], s.y[j], s.z[j]} - Vec3d{s.x[i], s.y[i], s.z[i]};
    Vec3d part{0, 0, 0};
    sim::add_attraction<sim::ZeroDistance::coincident>(d, static_cast<double>(s.mass[j]),
                                                       softening * softening, part);
    a += part;
    magnitude += std::sqrt(dot(part, part));
  }
  return {a, magnitude};
}

/// -sum over pairs of m m / r; terms in double, the sum in extended precision.
template <class Real>
double oracle_potential(const sim::StateView<Real>& s, double softening) {
  long double sum = 0;
  for (engine::Index i = 0; i < s.count; ++i)
    for (engine::Index j = 0; j < i; ++j) {
      const engine::Vec3d d =
          engine::Vec3d{s.x[j], s.y[j], s.z[j]} - engine::Vec3d{s.x[i], s.y[i], s.z[i]};
      sum -= static_cast<double>(s.mass[i]) * static_cast<double>(s.mass[j]) *
             sim::inverse_distance(d, softening * softening);
    }
  return static_cast<double>(sum);
}

}  // namespace mote::test
