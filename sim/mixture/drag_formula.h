#pragma once

#include <cmath>

#include "engine/math/vec.h"
#include "engine/platform.h"

/// Forces of a fluid on grains smaller than its resolution, by the two-fluid equations (Anderson &
/// Jackson 1967, Ind. Eng. Chem. Fundam. 6, 527) in the SPH-DEM form of Robinson, Ramaioli & Luding
/// (2014, Int. J. Multiphase Flow 59, 121). A root, a power or a division counts as one flop.
namespace mote::sim {

using engine::Vec3;

/// Volume of a grain [length^3]. 4 flops.
template <class T>
MOTE_FORMULA T grain_volume(T radius) {
  return T(4.18879020478639098) * radius * radius * radius;
}

/// Porosity for a solid fraction, at least 0.2: equal spheres in a heap leave 0.36, and kernel sums
/// of the solid fraction fluctuate.
template <class T>
MOTE_FORMULA T porosity_for(T solid_fraction) {
  const T porosity = T(1) - solid_fraction, least = T(0.2);
  return porosity > least ? porosity : least;
}

/// The exponent xi of the porosity, 3.7 - 0.65 exp(-(1.5 - log10 Re)^2 / 2) (Di Felice 1994, Int.
/// J. Multiphase Flow 20, 153). 6 flops.
template <class T>
MOTE_FORMULA T drag_exponent(T reynolds) {
  using std::exp;
  using std::log10;
  const T off = T(1.5) - log10(reynolds);
  return T(3.7) - T(0.65) * exp(T(-0.5) * off * off);
}

/// Drag on a sphere in a suspension, over its slip u - v [mass / time]. With the superficial
/// velocity w = eps |u - v| and Re = w d / nu, the force is pi/8 rho d^2 C w^2 eps^-xi, C = (0.63
/// + 4.8 / Re^(1/2))^2 (Dallavalle 1948; Di Felice 1994). To avoid division by a speed, it uses C w
/// = (0.63 w^(1/2) + 4.8 (nu / d)^(1/2))^2. At low Re it is 0.96 of Stokes' drag 3 pi rho nu d. 26
/// flops.
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

/// Kernel sums at a grain over fluid and wall particles, weighted by volume times W.
template <class T>
struct PoreSums {
  T fluid, walls;         ///< sums of the weights alone
  T porosity;             ///< sum of the fluid's porosity
  Vec3<T> velocity;       ///< sum of the fluid's velocity
  Vec3<T> force_density;  ///< sum of the fluid's force per volume, -grad p + div tau
};

/// Adds a particle to the sums. `weight`: volume times W. A wall particle has porosity 0 and adds
/// only its weight. 10 flops.
template <class T>
MOTE_FORMULA void add_to_pores(T weight, T porosity, Vec3<T> v, Vec3<T> force_density,
                               PoreSums<T>& sums) {
  if (!(porosity > T(0))) {
    sums.walls += weight;
    return;
  }
  sums.fluid += weight;
  sums.porosity += weight * porosity;
  sums.velocity += weight * v;
  sums.force_density += weight * force_density;
}

/// Force of the fluid on a grain.
template <class T>
struct GrainForce {
  Vec3<T> force;  ///< [force]
  T drag;         ///< drag over slip [mass / time]
};

/// The grain's volume times the fluid's force per volume (buoyancy in still water), and drag. Means
/// are over the fluid (Shepard 1968). Near a free surface the force is scaled by the filled
/// fraction of the kernel; walls do not count as empty. About 60 flops.
template <class T>
MOTE_FORMULA GrainForce<T> force_on_grain(const PoreSums<T>& s, T density, T viscosity, T radius,
                                          Vec3<T> v) {
  using std::sqrt;
  if (!(s.fluid > T(1e-6f))) return {{T(0), T(0), T(0)}, T(0)};
  const T open = T(1) - s.walls, all = open > s.fluid ? open : s.fluid;
  const T per_fluid = T(1) / s.fluid, per_open = T(1) / all;
  const Vec3<T> slip = per_fluid * s.velocity - v;
  const T drag =
      s.fluid * per_open *
      drag_rate(density, viscosity, T(2) * radius, per_fluid * s.porosity, sqrt(dot(slip, slip)));
  return {(grain_volume(radius) * per_open) * s.force_density + drag * slip, drag};
}

/// Largest stable step of explicit drag [time]. `grains`, `fluid`: their largest drag / mass. Drag
/// grows up to twice as fast as the slip, and twice the rate times dt must be below 2. Infinity
/// without drag.
MOTE_FORMULA double largest_drag_step(double grains, double fluid) {
  return grains + fluid > 0 ? 1 / (grains + fluid) : double(INFINITY);
}

}  // namespace mote::sim
