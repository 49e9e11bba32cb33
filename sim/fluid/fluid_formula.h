#pragma once

#include <cmath>
#include <cstdlib>

#include "engine/math/number.h"
#include "engine/math/vec.h"

/// Weakly compressible smoothed-particle hydrodynamics (Monaghan 1994, J. Comput. Phys. 110, 399).
/// `T` is float, double or a SIMD batch. In two dimensions masses, energies and forces are those of
/// a unit of depth, so that densities and pressures keep their units. Counts take a root and a
/// division for one operation each.
///
/// Of a pair, d = x_j - x_i and w = v_j - v_i. What particles do to each other is written as what i
/// feels of j times the volume (or mass) of i: each term is even or odd in the exchange of i and j,
/// bit for bit, and what is conserved is so to the rounding of the sums.
namespace mote::sim {

using engine::Vec3;

template <class T>
MOTE_FORMULA T positive_part(T a) {
  return engine::Number<T>::where_positive(a, a);
}

// ---- Smoothing kernel -------------------------------------------------------------------------------------------------

/// The kernel C2 of Wendland (1995, Adv. Comput. Math. 4, 389) with support 2h (Dehnen & Aly 2012,
/// MNRAS 425, 1068): with q = r / h, W = n (1 - q/2)^4 (1 + 2q), where n = 7 / (4 pi h^2) in two
/// and 21 / (16 pi h^3) in three dimensions.
template <class T>
struct SmoothingKernel {
  T inverse_h2;  ///< [1 / length^2]
  T value;       ///< n [1 / length^dimensions]
  T gradient;    ///< -5 n / h^2 [1 / length^(dimensions + 2)]
};

template <class T>
SmoothingKernel<T> smoothing_kernel(double h, int dimensions) {
  constexpr double pi = 3.14159265358979323846;
  const double n = dimensions == 2 ? 7 / (4 * pi * h * h) : 21 / (16 * pi * h * h * h);
  return {static_cast<T>(1 / (h * h)), static_cast<T>(n), static_cast<T>(-5 * n / (h * h))};
}

/// A separation as the kernel sees it: q^2, 1/q, q, and 1 - q/2 or zero beyond the support. 13
/// operations from d.
template <class T>
struct KernelPoint {
  T q2, inverse_q, q, fall;
};

template <class T>
MOTE_FORMULA KernelPoint<T> kernel_point(const SmoothingKernel<T>& k, Vec3<T> d) {
  using N = engine::Number<T>;
  const T q2 = N::multiply_add(d.z, d.z, N::multiply_add(d.y, d.y, d.x * d.x)) * k.inverse_h2;
  // The tiny term keeps the inverse of zero finite; what it is multiplied by is zero there.
  const T inverse_q = N::inverse_root(q2 + T(1e-30f));
  const T q = q2 * inverse_q;
  return {q2, inverse_q, q, positive_part(N::multiply_add(T(-0.5f), q, T(1)))};
}

/// W [1 / length^dimensions]. 6 operations.
template <class T>
MOTE_FORMULA T kernel_value(const SmoothingKernel<T>& k, const KernelPoint<T>& at) {
  const T square = at.fall * at.fall;
  return k.value * (square * square) * engine::Number<T>::multiply_add(T(2), at.q, T(1));
}

/// F = (dW/dr) / r = -5 n / h^2 (1 - q/2)^3, never positive and finite at r = 0: the gradient of W
/// at x_i is -F d. 3 operations.
template <class T>
MOTE_FORMULA T kernel_gradient(const SmoothingKernel<T>& k, const KernelPoint<T>& at) {
  return k.gradient * (at.fall * at.fall) * at.fall;
}

// ---- Equation of state ------------------------------------------------------------------------------------------------

/// Tait's equation p = B ((rho / rho0)^gamma - 1) + p_b with B = rho0 c^2 / gamma (Cole 1948;
/// Monaghan 1994). A whole gamma is raised by products, without loss of the digits of a small rho -
/// rho0: 1 + e to a power, less 1.
template <class T>
struct TaitFormula {
  T density, inverse_density;  ///< rho0 [density] and its inverse
  T stiffness;                 ///< B [pressure]
  T background;                ///< p_b [pressure]
  int gamma;                   ///< >= 1

  /// 3 gamma + 4 operations.
  MOTE_FORMULA T pressure(T rho) const {
    const T e = (rho - density) * inverse_density;
    T power = e;
    for (int k = 1; k < gamma; ++k) power = power + e * (T(1) + power);
    return stiffness * power + background;
  }
  /// The inverse. Below the pressure at which there is no fluid left (p_b - B), the density of
  /// nothing. About 40 operations.
  MOTE_FORMULA T density_at(T p) const {
    using std::exp;
    using std::log;
    const T power = T(1) + (p - background) / stiffness;
    return power > T(0) ? density * exp(log(power) / T(gamma)) : T(0);
  }
  /// Internal energy per mass [velocity^2], of which p = rho^2 du/drho; zero at rho0. With e = rho
  /// / rho0 - 1: B / rho0 (((1 + e)^(gamma - 1) - 1) / (gamma - 1) - e / (1 + e)) + p_b / rho0 e /
  /// (1 + e). 3 gamma + 8 operations.
  MOTE_FORMULA T energy(T rho) const {
    using std::log1p;
    const T e = (rho - density) * inverse_density;
    const T loosened = e / (T(1) + e);  // 1 - rho0 / rho
    T stored;
    if (gamma == 1) {
      stored = log1p(e) - loosened;
    } else {
      T power = e;
      for (int k = 1; k < gamma - 1; ++k) power = power + e * (T(1) + power);
      stored = power / T(gamma - 1) - loosened;
    }
    return inverse_density * (stiffness * stored + background * loosened);
  }
};

// ---- Pairs ------------------------------------------------------------------------------------------------------------

/// What multiplies the terms of a pair.
template <class T>
struct FluidConstants {
  SmoothingKernel<T> kernel;
  T laminar;     ///< 2 rho0 nu [pressure time]
  T artificial;  ///< alpha c rho0 / h [density / time]
};

/// A particle as its neighbours see it.
template <class T>
struct FluidPoint {
  Vec3<T> v;   ///< [velocity]; of a wall, that of viscosity
  T volume;    ///< m / rho
  T pressure;  ///< [pressure]
  T dynamic;   ///< rho - rho0 g . x / c^2, the density without what its own weight adds to it
               ///< [density]
};

/// Sums over neighbours, each times the particle's volume.
template <class T>
struct FluidSums {
  Vec3<T> force;  ///< [force]
  T expansion;    ///< sum V_i V_j F d.w: minus the volume's rate of growth
  T diffusion;    ///< sum V_i V_j F (rho_j - rho_i)
  Vec3<T> crowd;  ///< sum V_i V_j F d: minus the gradient of the concentration, 1 where particles
                  ///< are even
  T support;      ///< sum V_i V_j F q^2: how much of the neighbourhood is filled
  Vec3<T> drift;  ///< sum V_i V_j W w
};

/// Which terms a pair has, besides pressure, viscosity and continuity.
struct FluidTerms {
  bool diffusion, shifting, xsph;
};

/// The force on i, along d and along w:
/// - pressure, -V_i V_j (p_i + p_j) grad W, the conjugate of the rate below: together they conserve
/// energy (Colagrossi &
///   Landrini 2003, J. Comput. Phys. 191, 448; Antuono et al. 2010, Comput. Phys. Commun. 181, 532);
/// - artificial viscosity between particles that come nearer, -alpha h c d.w / r^2 (Monaghan 1992,
/// Annu. Rev. Astron.
///   Astrophys. 30, 543, with beta = 0). The term that keeps Monaghan's r^2 from zero is not needed: F is
///   finite there. Density and speed of sound are those of reference, from which they hardly differ;
/// - laminar viscosity, V_i V_j 2 mu F (v_i - v_j) (Morris, Fox & Zhu 1997, J. Comput. Phys. 136,
/// 214). The rate of density: continuity, rho_i sum V_j F d.w, and the diffusion of Molteni &
/// Colagrossi (2009, Comput. Phys. Commun. 180, 861), -2 delta h c sum V_j F (rho_j - rho_i), of
/// the density without its hydrostatic part (Fourtakas et al. 2019, Comput. Fluids 190, 346, linear
/// in g d / c^2). 58 operations with those of `kernel_point` and diffusion; 8 more with shifting,
/// 13 with XSPH.
template <FluidTerms terms, class T>
MOTE_FORMULA void add_pair(const FluidConstants<T>& c, Vec3<T> d, const KernelPoint<T>& at,
                           const FluidPoint<T>& i, const FluidPoint<T>& j, Vec3<T> w,
                           Vec3<T> viscous_w, FluidSums<T>& sums) {
  using N = engine::Number<T>;
  const T volumes = i.volume * j.volume;
  const T weighted = volumes * kernel_gradient(c.kernel, at);
  const T closing = N::multiply_add(d.z, w.z, N::multiply_add(d.y, w.y, d.x * w.x));
  const T viscous_closing =
      N::multiply_add(d.z, viscous_w.z, N::multiply_add(d.y, viscous_w.y, d.x * viscous_w.x));
  const T approach = positive_part(T(0) - viscous_closing) * (at.inverse_q * at.inverse_q);
  const T along = weighted * N::multiply_add(c.artificial, approach, i.pressure + j.pressure);
  const T drag = T(0) - c.laminar * weighted;
  sums.force.x = N::multiply_add(d.x, along, N::multiply_add(viscous_w.x, drag, sums.force.x));
  sums.force.y = N::multiply_add(d.y, along, N::multiply_add(viscous_w.y, drag, sums.force.y));
  sums.force.z = N::multiply_add(d.z, along, N::multiply_add(viscous_w.z, drag, sums.force.z));
  sums.expansion = N::multiply_add(weighted, closing, sums.expansion);
  if constexpr (terms.diffusion)
    sums.diffusion = N::multiply_add(weighted, j.dynamic - i.dynamic, sums.diffusion);
  if constexpr (terms.shifting) {
    sums.crowd.x = N::multiply_add(weighted, d.x, sums.crowd.x);
    sums.crowd.y = N::multiply_add(weighted, d.y, sums.crowd.y);
    sums.crowd.z = N::multiply_add(weighted, d.z, sums.crowd.z);
    sums.support = N::multiply_add(weighted, at.q2, sums.support);
  }
  if constexpr (terms.xsph) {
    const T smooth = volumes * kernel_value(c.kernel, at);
    sums.drift.x = N::multiply_add(smooth, w.x, sums.drift.x);
    sums.drift.y = N::multiply_add(smooth, w.y, sums.drift.y);
    sums.drift.z = N::multiply_add(smooth, w.z, sums.drift.z);
  }
}

// ---- Walls ------------------------------------------------------------------------------------------------------------

/// Sums of a wall particle over the fluid near it, weighted by W.
template <class T>
struct WallSums {
  T weight;
  T pressure;
  Vec3<T> arm;  ///< of d
  Vec3<T> velocity;
};

/// 22 operations with the kernel's.
template <class T>
MOTE_FORMULA void add_to_wall(const SmoothingKernel<T>& k, Vec3<T> d, const KernelPoint<T>& at,
                              T pressure, Vec3<T> v, WallSums<T>& sums) {
  using N = engine::Number<T>;
  const T weight = kernel_value(k, at);
  sums.weight = sums.weight + weight;
  sums.pressure = N::multiply_add(weight, pressure, sums.pressure);
  sums.arm = {N::multiply_add(weight, d.x, sums.arm.x), N::multiply_add(weight, d.y, sums.arm.y),
              N::multiply_add(weight, d.z, sums.arm.z)};
  sums.velocity = {N::multiply_add(weight, v.x, sums.velocity.x),
                   N::multiply_add(weight, v.y, sums.velocity.y),
                   N::multiply_add(weight, v.z, sums.velocity.z)};
}

/// What a wall particle of velocity v is to the fluid (Adami, Hu & Adams 2012, J. Comput. Phys.
/// 231, 7057): the pressure of the fluid in the balance of its weight (of reference density)
/// carried on into the wall, and the velocity 2 v - <v> with which viscosity brings it to v at the
/// border. Walls are not accelerated, and do not suck: their pressure is no less than where there
/// is no fluid.
template <class T>
struct WallPoint {
  T pressure;
  Vec3<T> v;
};
template <class T>
MOTE_FORMULA WallPoint<T> wall_point(const WallSums<T>& s, Vec3<T> v, Vec3<T> weight_density,
                                     T without_fluid) {
  if (!(s.weight > T(0))) return {without_fluid, v};
  const T inverse = T(1) / s.weight;
  const T pressure = (s.pressure - dot(weight_density, s.arm)) * inverse;
  return {pressure > without_fluid ? pressure : without_fluid, T(2) * v - inverse * s.velocity};
}

/// Density of a wall particle, that of fluid at its pressure, and no less than half of that of
/// reference.
template <class T>
MOTE_FORMULA T wall_density(const TaitFormula<T>& tait, T pressure) {
  const T density = tait.density_at(pressure), least = T(0.5) * tait.density;
  return density > least ? density : least;
}

/// The force on a particle that meets a wall: a wall's pressure follows that of the fluid near it,
/// and a jet that comes in free has none. Between the fluid and its mirror image stands the
/// pressure that a low-dissipation Riemann solver finds (Zhang, Hu & Adams 2017, J. Comput. Phys.
/// 335, 605), rho u min(6 u, c) above the mean, where u is the speed towards the wall: with the
/// sums over walls, u = expansion / |crowd|, along crowd. Without friction. 20 operations.
template <class T>
MOTE_FORMULA Vec3<T> impact_force(const FluidSums<T>& walls, T density, T sound) {
  const T square = dot(walls.crowd, walls.crowd);
  if (!(walls.expansion > T(0)) || !(square > T(0))) return {T(0), T(0), T(0)};
  // Who only just reaches a wall has the sixth power of next to nothing here: no approximation of a
  // root takes that.
  const T speed = walls.expansion * (T(1) / std::sqrt(square));
  return (T(2) * density * speed * (T(6) * speed < sound ? T(6) * speed : sound)) * walls.crowd;
}

// ---- Shifting ---------------------------------------------------------------------------------------------------------

/// The velocity with which a particle moves against the concentration of particles, -A h U grad C
/// (Lind et al. 2012, J. Comput. Phys. 231, 1499, with the step of Skillen et al. 2013, Comput.
/// Methods Appl. Mech. Eng. 265, 163), at most U/2. `crowd` = -grad C. Nothing where part of the
/// neighbourhood is empty: `support` = div x / dimensions is 1 within the fluid and about 1/2 at
/// its surface. 16 operations.
template <class T>
MOTE_FORMULA Vec3<T> shift_velocity(Vec3<T> crowd, T support, T coefficient_h, T speed) {
  using N = engine::Number<T>;
  const T inside = positive_part(support - T(0.9)) * T(10);
  Vec3<T> u = (coefficient_h * speed * (inside < T(1) ? inside : T(1))) * crowd;
  const T square = dot(u, u), most = T(0.5) * speed;
  if (square > most * most) u = (most * N::inverse_root(square)) * u;
  return u;
}

// ---- From sums to what moves a particle -----------------------------------------------------------------------------

/// Of a fluid as a whole, what turns sums into rates.
template <class T>
struct FluidFactors {
  T density, sound;  ///< of reference
  T diffusivity;     ///< -2 delta h c [length^2 / time]
  T support_unit;    ///< -h^2 / dimensions: the sum of `support` times the volume is 1 over this
                     ///< where all is filled
  T shift_h, speed;  ///< A h and U of shifting
  T xsph;            ///< epsilon
};

template <class T>
struct FluidRates {
  Vec3<T> a;  ///< [velocity / time]
  T density;  ///< [density / time]
  Vec3<T> u;  ///< [velocity]: of positions, beside their own
};

/// From the sums over fluid and over walls. 60 operations.
template <class T>
MOTE_FORMULA FluidRates<T> fluid_rates(const FluidFactors<T>& f, bool shifting,
                                       const FluidSums<T>& fluid, const FluidSums<T>& walls, T mass,
                                       T volume) {
  const T inverse_mass = T(1) / mass, inverse_volume = T(1) / volume;
  const Vec3<T> force = fluid.force + walls.force + impact_force(walls, f.density, f.sound);
  const T rate = (mass * inverse_volume * (fluid.expansion + walls.expansion) +
                  f.diffusivity * fluid.diffusion) *
                 inverse_volume;
  Vec3<T> u{T(0), T(0), T(0)};
  if (shifting)
    u = shift_velocity(inverse_volume * (fluid.crowd + walls.crowd),
                       inverse_volume * (fluid.support + walls.support) * f.support_unit, f.shift_h,
                       f.speed);
  return {inverse_mass * force, rate, u + f.xsph * inverse_volume * fluid.drift};
}

// ---- Time step --------------------------------------------------------------------------------------------------------

/// The largest time step that is stable, from the speed of sound and of particles (h / (c + v) /
/// 4), their accelerations
/// ((h / a)^(1/2) / 4), viscosity (h^2 / nu / 8) and surface tension ((rho h^3 / 2 pi sigma)^(1/2)
/// / 4): Monaghan 1992; Morris, Fox & Zhu 1997; Adami, Hu & Adams 2012; Brackbill, Kothe & Zemach
/// 1992, J. Comput. Phys. 100, 335.
struct StepSpeeds {
  double h, sound, speed, acceleration, viscosity;
  double tension = 0;  ///< sigma / rho [length^3 / time^2]
};
MOTE_FORMULA double largest_fluid_step(const StepSpeeds& s) {
  double step = 0.25 * s.h / (s.sound + s.speed);
  if (s.acceleration > 0) step = std::fmin(step, 0.25 * std::sqrt(s.h / s.acceleration));
  if (s.viscosity > 0) step = std::fmin(step, 0.125 * s.h * s.h / s.viscosity);
  if (s.tension > 0)
    step = std::fmin(step, 0.25 * std::sqrt(s.h * s.h * s.h / (6.283185307179586 * s.tension)));
  return step;
}

}  // namespace mote::sim
