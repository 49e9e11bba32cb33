#pragma once

#include "engine/algo/reduce.cuh"
#include "sim/measure/measurement.h"

namespace mote::sim {

/// The sums of a measurement as one array for a joint reduction: mass, kinetic energy, momentum,
/// angular momentum, moment, position and squared displacement by sum, low by minimum, high and
/// squared speed by maximum.
inline constexpr int body_sums = 22, body_sums_low = 15, body_sums_high = 18;

__device__ inline engine::Values<body_sums> body_values(double m, engine::Vec3d x, engine::Vec3d v,
                                                        double squared_displacement = 0) {
  const engine::Vec3d p = m * v, l = m * cross(x, v), q = m * x;
  const double v2 = dot(v, v);
  return {{m,   0.5 * m * v2,         p.x, p.y, p.z, l.x, l.y, l.z, q.x, q.y, q.z, x.x, x.y,
           x.z, squared_displacement, x.x, x.y, x.z, x.x, x.y, x.z, v2}};
}

/// Adds energy and angular momentum of the spin.
__device__ inline void add_spin(engine::Values<body_sums>& all, double inertia,
                                engine::Vec3d spin) {
  all.v[1] += 0.5 * inertia * dot(spin, spin);
  all.v[5] += inertia * spin.x, all.v[6] += inertia * spin.y, all.v[7] += inertia * spin.z;
}

/// The reduction operator.
struct BodyJoin {
  static __device__ double combine(int k, double a, double b) {
    return k < body_sums_low ? a + b : k < body_sums_high ? fmin(a, b) : fmax(a, b);
  }
  static __device__ engine::Values<body_sums> nothing() {
    engine::Values<body_sums> all{};
    for (int k = body_sums_low; k < body_sums_high; ++k) all.v[k] = INFINITY;
    for (int k = body_sums_high; k < body_sums; ++k) all.v[k] = -INFINITY;
    return all;
  }
};

/// The sums over bodies of which none is fixed.
inline BodySums sums_of(const engine::Values<body_sums>& all) {
  const double* v = all.v;
  const auto vector = [&](int k) { return engine::Vec3d{v[k], v[k + 1], v[k + 2]}; };
  return {v[0],
          v[1],
          vector(2),
          vector(5),
          vector(8),
          vector(11),
          vector(body_sums_low),
          vector(body_sums_high),
          v[body_sums - 1],
          v[body_sums_low - 1],
          v[1],
          0};
}

}  // namespace mote::sim
