#pragma once

#include <cmath>

#include "engine/math/vec.h"
#include "engine/platform.h"

/// What a fluid does to grains that are smaller than its resolution, in the equations of two fluids
/// that share a place (Anderson & Jackson 1967, Ind. Eng. Chem. Fundam. 6, 527), as Robinson,
/// Ramaioli & Luding write them for particles (2014, Int. J. Multiphase Flow 59, 121). Counts take
/// a root, a power or a division for one operation each.
namespace mote::sim {

using engine::Vec3;

/// [length^3]. 4 operations.
template <class T>
MOTE_FORMULA T volume_of_grain(T radius) {
  return T(4.18879020478639098) * radius * radius * radius;
}

/// No more of a place is taken for grains' than this leaves: spheres of one size leave 0.36 in a
/// heap, and what is summed over a kernel differs from place to place.
template <class T>
MOTE_FORMULA T porosity_beside(T grains) {
  const T left = T(1) - grains, least = T(0.2);
  return left > least ? left : least;
}

/// The exponent xi of the porosity, 3.7 - 0.65 exp(-(1.5 - log10 Re)^2 / 2) (Di Felice 1994, Int.
/// J. Multiphase Flow 20, 153). 6 operations.
template <class T>
MOTE_FORMULA T drag_exponent(T reynolds) {
  using std::exp;
  using std::log10;
  const T off = T(1.5) - log10(reynolds);
  return T(3.7) - T(0.65) * exp(T(-0.5) * off * off);
}

/// Drag on a sphere in a crowd, over its slip u - v [mass / time]: with the superficial velocity w
/// = eps |u - v| and Re = w d / nu, the force is pi/8 rho d^2 C w^2 eps^-xi, where C = (0.63 + 4.8
/// / Re^(1/2))^2 (Dallavalle 1948; Di Felice 1994). Written so that nothing is divided by a speed:
/// C w = (0.63 w^(1/2) + 4.8 (nu / d)^(1/2))^2. Slow grains feel 0.96 of Stokes' 3 pi rho nu d. 26
/// operations.
template <class T>
MOTE_FORMULA T drag_rate(T density, T viscosity, T diameter, T porosity, T slip) {
  using std::pow;
  using std::sqrt;
  const T speed = porosity * slip;
  const T tiny = T(1e-30f);
  const T reynolds = (speed * diameter + tiny) / (viscosity + tiny);
  const T root = T(0.63) * sqrt(speed) + T(4.8) * sqrt(viscosity / diameter);
  return T(0.392699081698724155) * density * diameter * diameter * (root * root) *
         pow(porosity, T(1) - drag_exponent(reynolds));
}

/// Sums of a grain over the particles near it, each times its volume and W.
template <class T>
struct PoreSums {
  T fluid, walls;    ///< of the volumes alone
  T porosity;        ///< of the fluid
  Vec3<T> velocity;  ///< of the fluid
  Vec3<T> push;      ///< of the fluid's force per volume, -grad p + div tau
};

/// A particle of this volume times W, at the grain, joins them; of a wall, whose porosity is 0, the
/// volume alone. 10 operations.
template <class T>
MOTE_FORMULA void add_to_pores(T weight, T porosity, Vec3<T> v, Vec3<T> push, PoreSums<T>& sums) {
  if (!(porosity > T(0))) {
    sums.walls += weight;
    return;
  }
  sums.fluid += weight;
  sums.porosity += weight * porosity;
  sums.velocity += weight * v;
  sums.push += weight * push;
}

/// What the fluid does to a grain: its force, and per volume and W, so that all who share it take
/// their part of it.
template <class T>
struct GrainPush {
  Vec3<T> force;  ///< [force]
  T drag;         ///< over the slip [mass / time]
};

/// The volume times the force per volume of the fluid there (which is Archimedes' in still water),
/// and drag. Means are over the fluid (Shepard 1968); where part of the place is empty, above a
/// surface, only the filled part of it acts: walls do not count as empty. About 60 operations.
template <class T>
MOTE_FORMULA GrainPush<T> push_on_grain(const PoreSums<T>& s, T density, T viscosity, T radius,
                                        Vec3<T> v) {
  using std::sqrt;
  if (!(s.fluid > T(1e-6f))) return {{T(0), T(0), T(0)}, T(0)};
  const T room = T(1) - s.walls, all = room > s.fluid ? room : s.fluid;
  const T per_fluid = T(1) / s.fluid, per_room = T(1) / all;
  const Vec3<T> slip = per_fluid * s.velocity - v;
  const T drag =
      s.fluid * per_room *
      drag_rate(density, viscosity, T(2) * radius, per_fluid * s.porosity, sqrt(dot(slip, slip)));
  return {(volume_of_grain(radius) * per_room) * s.push + drag * slip, drag};
}

/// The longest step that explicit drag is stable with, where `grains` and `fluid` are the largest
/// drag / mass among them: drag grows up to twice as fast as the slip, and (twice the rate) dt < 2.
/// Infinity without drag.
MOTE_FORMULA double largest_drag_step(double grains, double fluid) {
  return grains + fluid > 0 ? 1 / (grains + fluid) : double(INFINITY);
}

}  // namespace mote::sim
