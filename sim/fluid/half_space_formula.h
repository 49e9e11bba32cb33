#pragma once

#include <cmath>

#include "sim/fluid/fluid_formula.h"
#include "sim/space/obstacle_formula.h"

/// Obstacles as walls of a fluid: sums over wall particles become integrals over the half-space
/// behind the surface point nearest to a particle (Feldman & Bonet 2007, Int. J. Numer. Methods
/// Eng. 72, 295, for plane walls). Exact for planes; a surface must be flat on the scale of the
/// support, and a solid at least as thick as its radius 2h.
///
/// With W and F of fluid_formula.h, s the distance along -n, n the normal out of the solid, and the
/// solid at s > d:
///   A = integral of W over the plane s = d, L = integral of W over the solid,
///   integral of F r dV = n A, of F r r^T dV = -L I - d A n n^T,
/// both by the divergence theorem, since F r is the gradient of W.
namespace mote::sim {

template <class T>
struct HalfSpaceKernel {
  T inverse_h;  ///< [1 / length]
  int dimensions;
};

template <class T>
struct HalfSpaceIntegrals {
  T area;    ///< A [1 / length]
  T filled;  ///< L, 0 to 1/2
};

namespace half_space {

/// The integrals in three dimensions, with f = 1 - d / 2h: polynomials. 14 operations.
template <class T>
MOTE_FORMULA HalfSpaceIntegrals<T> in_space(T inverse_h, T f) {
  const T square = f * f, fourth = square * square;
  return {inverse_h * (fourth * f) * (T(10.5) + f * (T(6) * f - T(15.75))),
          fourth * square * (T(3.5) + f * (T(1.5) * f - T(4.5)))};
}

/// The integrals in two dimensions, with u = d / h: W is 7 / (4 pi h^2) times a polynomial in q, of
/// which A and L need the integrals of q^k along the line, J_k. 80 operations.
template <class T>
MOTE_FORMULA HalfSpaceIntegrals<T> in_plane(T inverse_h, T u) {
  constexpr T norm = T(2 * 7 / (4 * 3.14159265358979323846));
  const T square = u * u, end2 = T(4) - square, end = std::sqrt(end2);
  const T log = u > T(1e-6) ? std::log((T(2) + end) / u) : T(0);
  const T j1 = T(0.5) * (T(2) * end + square * log);
  const T j2 = end * (square + end2 / T(3));
  const T j3 = T(0.25) * (T(8) * end + T(3) * square * j1);
  const T j4 = end * (square * square + end2 * (T(2) / T(3) * square + T(0.2) * end2));
  const T j5 = (T(32) * end + T(5) * square * j3) / T(6);
  const T area = end + T(2.5) * (j3 - j2) - T(0.9375) * j4 + T(0.125) * j5;
  const T sector = T(2) / T(7) * std::acos(T(0.5) * u);
  const T filled =
      sector - u * (T(0.5) * end - T(0.625) * j2 + T(0.5) * j3 - T(0.15625) * j4 + j5 / T(56));
  return {inverse_h * norm * (area > T(0) ? area : T(0)), norm * (filled > T(0) ? filled : T(0))};
}

}  // namespace half_space

/// At a distance d of the surface; 0 beyond 2h. Within the solid as at its surface.
template <class T>
MOTE_FORMULA HalfSpaceIntegrals<T> half_space_integrals(const HalfSpaceKernel<T>& k, T d) {
  const T u = d > T(0) ? d * k.inverse_h : T(0);
  if (!(u < T(2))) return {T(0), T(0)};
  return k.dimensions == 2 ? half_space::in_plane(k.inverse_h, u)
                           : half_space::in_space(k.inverse_h, T(1) - T(0.5) * u);
}

/// Constants of a fluid at obstacles.
template <class T>
struct ObstacleConstants {
  HalfSpaceKernel<T> kernel;
  T half_spacing;          ///< half the particle spacing [length]
  T laminar;               ///< 2 rho0 nu, 0 for free slip [pressure time]
  T background;            ///< p_b [pressure]
  T density, sound;        ///< reference values
  Vec3<T> weight_density;  ///< rho0 g [pressure / length]
};

/// The terms of an obstacle in the sums over walls of particle i, the force of impacts included:
/// all zero beyond its reach. `at`: position of i, in the image nearest to the obstacle. The solid
/// has the pressure of i, extrapolated hydrostatically, but does not pull; viscosity enforces its
/// velocity at the surface by a profile linear across it (Takeda, Miyama & Sekiya 1994, Prog.
/// Theor. Phys. 92, 939), from at least half a spacing.
template <class T>
MOTE_FORMULA FluidSums<T> obstacle_sums(const ObstacleConstants<T>& c, const Obstacle<T>& o,
                                        Vec3<T> at, const FluidPoint<T>& i) {
  FluidSums<T> sums{};
  const SurfacePoint<T> s = surface_at(o, at);
  const T inverse_h = c.kernel.inverse_h, dimensions = T(c.kernel.dimensions);
  if (!(s.distance * inverse_h < T(2))) return sums;
  const HalfSpaceIntegrals<T> k = half_space_integrals(c.kernel, s.distance);
  const Vec3<T> n = s.normal, w = surface_velocity(o.frame, at + (T(0) - s.distance) * n) - i.v;
  const T away = s.distance > T(0) ? s.distance : T(0);
  const T resolved = away > c.half_spacing ? away : c.half_spacing;
  // Within the solid, a pressure that grows with depth as that of compressed fluid brings it back.
  const T depth = away - s.distance, stiff = T(2) * c.density * c.sound * c.sound * inverse_h;
  const T pressures =
      i.pressure + (i.pressure > c.background ? i.pressure : c.background) + stiff * depth;
  const T along = i.volume * k.area * (pressures - away * dot(c.weight_density, n));
  const T drag = i.volume * c.laminar * (k.area / resolved);
  sums.force = along * n - (i.volume * k.filled) * c.weight_density + drag * w;
  sums.minus_grad_c = (i.volume * k.area) * n;
  sums.expansion = dot(sums.minus_grad_c, w);
  sums.support = T(0) - i.volume * (dimensions * k.filled + away * k.area) * inverse_h * inverse_h;
  sums.force = sums.force + impact_force(sums, c.density, c.sound);
  return sums;
}

/// Adds up what several obstacles add.
template <class T>
MOTE_FORMULA void add_sums(const FluidSums<T>& more, FluidSums<T>& to) {
  to.force = to.force + more.force;
  to.expansion = to.expansion + more.expansion;
  to.minus_grad_c = to.minus_grad_c + more.minus_grad_c;
  to.support = to.support + more.support;
}

}  // namespace mote::sim
