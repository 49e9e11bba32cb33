#pragma once

#include <cmath>
#include <cstdlib>

#include "engine/math/number.h"
#include "engine/math/vec.h"

/// Weakly compressible smoothed-particle hydrodynamics (Monaghan 1994, J. Comput. Phys. 110, 399).
/// `T` is float, double or a SIMD batch. In two dimensions masses, energies and forces are per unit
/// of depth, so that densities and pressures keep their units. Operation counts: a root and a
/// division count as one each.
///
/// For a pair, d = x_j - x_i and w = v_j - v_i. Pair terms are what i receives from j, times the
/// volume (or mass) of i. Each is bitwise symmetric or antisymmetric in i and j, so that conserved
/// quantities are conserved to the round-off of the sums.
namespace mote::sim {

using engine::Vec3;

template <class T>
MOTE_FORMULA T positive_part(T a) {
  return engine::Number<T>::select_positive(a, a);
}

// ---- Smoothing kernel ---------------------------------------------------------------------------

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

/// Terms of a separation that the kernel needs: q^2, 1/q, q and max(1 - q/2, 0). 13 operations from
/// d.
template <class T>
struct KernelPoint {
  T q2, inverse_q, q, fall;
};

template <class T>
MOTE_FORMULA KernelPoint<T> kernel_point(const SmoothingKernel<T>& k, Vec3<T> d) {
  using N = engine::Number<T>;
  const T q2 = N::multiply_add(d.z, d.z, N::multiply_add(d.y, d.y, d.x * d.x)) * k.inverse_h2;
  // The tiny term keeps 1/q finite at q = 0, where its factor is zero.
  const T inverse_q = N::rsqrt(q2 + T(1e-30f));
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

// ---- Equation of state --------------------------------------------------------------------------

/// Tait's equation p = B ((rho / rho0)^gamma - 1) + p_b with B = rho0 c^2 / gamma (Cole 1948;
/// Monaghan 1994). For an integer gamma, (1 + e)^gamma - 1 is computed by products in e = rho /
/// rho0 - 1, which does not cancel for rho near rho0.
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
  /// The inverse; 0 below the pressure of zero density, p_b - B. About 40 operations.
  MOTE_FORMULA T density_at(T p) const {
    using std::exp;
    using std::log;
    const T power = T(1) + (p - background) / stiffness;
    return power > T(0) ? density * exp(log(power) / T(gamma)) : T(0);
  }
  /// Internal energy per mass [velocity^2], with p = rho^2 du/drho; zero at rho0. With e = rho
  /// / rho0 - 1: B / rho0 (((1 + e)^(gamma - 1) - 1) / (gamma - 1) - e / (1 + e)) + p_b / rho0 e /
  /// (1 + e). 3 gamma + 8 operations.
  MOTE_FORMULA T energy(T rho) const {
    using std::log1p;
    const T e = (rho - density) * inverse_density;
    const T compression = e / (T(1) + e);  // 1 - rho0 / rho
    T stored;
    if (gamma == 1) {
      stored = log1p(e) - compression;
    } else {
      T power = e;
      for (int k = 1; k < gamma - 1; ++k) power = power + e * (T(1) + power);
      stored = power / T(gamma - 1) - compression;
    }
    return inverse_density * (stiffness * stored + background * compression);
  }
};

// ---- Pairs --------------------------------------------------------------------------------------

/// Coefficients of pair terms.
template <class T>
struct FluidConstants {
  SmoothingKernel<T> kernel;
  T laminar;     ///< 2 rho0 nu [pressure time]
  T artificial;  ///< alpha c rho0 / h [density / time]
};

/// A particle as its neighbours read it.
template <class T>
struct FluidPoint {
  Vec3<T> v;   ///< [velocity]; of a wall, that of viscous terms
  T volume;    ///< m / rho
  T pressure;  ///< [pressure]
  T dynamic;   ///< rho - rho0 g . x / c^2, without the hydrostatic part [density]
};

/// Sums over neighbours, each times the volume of i.
template <class T>
struct FluidSums {
  Vec3<T> force;  ///< [force]
  T expansion;    ///< sum V_i V_j F d.w, minus the rate of change of the volume
  T diffusion;    ///< sum V_i V_j F (rho_j - rho_i)
  /// sum V_i V_j F d, minus the gradient of the particle concentration C (1 for even spacing).
  Vec3<T> minus_grad_c;
  T support;      ///< sum V_i V_j F q^2, for the filled fraction of the support
  Vec3<T> drift;  ///< sum V_i V_j W w
};

/// Which terms a pair has, besides pressure, viscosity and continuity.
struct FluidTerms {
  bool diffusion, shifting, xsph;
};

/// The force on i, along d and along w:
///   pressure, -V_i V_j (p_i + p_j) grad W, conjugate to the density rate below: the two conserve
///   energy (Colagrossi & Landrini 2003, J. Comput. Phys. 191, 448; Antuono et al. 2010, Comput.
///   Phys. Commun. 181, 532);
///   artificial viscosity between approaching particles, -alpha h c d.w / r^2 (Monaghan 1992, Annu.
///   Rev. Astron. Astrophys. 30, 543, with beta = 0). Monaghan's term that keeps r^2 from zero is
///   not needed: F is finite there. Density and speed of sound are the reference values, which
///   differ little from the actual ones;
///   laminar viscosity, V_i V_j 2 mu F (v_i - v_j) (Morris, Fox & Zhu 1997, J. Comput. Phys. 136,
///   214).
/// The density rate: continuity, rho_i sum V_j F d.w, and the diffusion of Molteni & Colagrossi
/// (2009, Comput. Phys. Commun. 180, 861), -2 delta h c sum V_j F (rho_j - rho_i), of the density
/// without its hydrostatic part (Fourtakas et al. 2019, Comput. Fluids 190, 346, linear in
/// g d / c^2). 58 operations with those of `kernel_point` and diffusion; 8 more with shifting, 13
/// with XSPH.
template <FluidTerms terms, class T>
MOTE_FORMULA void add_pair(const FluidConstants<T>& c, Vec3<T> d, const KernelPoint<T>& at,
                           const FluidPoint<T>& i, const FluidPoint<T>& j, Vec3<T> w,
                           Vec3<T> viscous_w, FluidSums<T>& sums) {
  using N = engine::Number<T>;
  const T volumes = i.volume * j.volume;
  const T weighted = volumes * kernel_gradient(c.kernel, at);
  const T d_dot_w = N::multiply_add(d.z, w.z, N::multiply_add(d.y, w.y, d.x * w.x));
  const T viscous_d_dot_w =
      N::multiply_add(d.z, viscous_w.z, N::multiply_add(d.y, viscous_w.y, d.x * viscous_w.x));
  const T approach = positive_part(T(0) - viscous_d_dot_w) * (at.inverse_q * at.inverse_q);
  const T along = weighted * N::multiply_add(c.artificial, approach, i.pressure + j.pressure);
  const T drag = T(0) - c.laminar * weighted;
  sums.force.x = N::multiply_add(d.x, along, N::multiply_add(viscous_w.x, drag, sums.force.x));
  sums.force.y = N::multiply_add(d.y, along, N::multiply_add(viscous_w.y, drag, sums.force.y));
  sums.force.z = N::multiply_add(d.z, along, N::multiply_add(viscous_w.z, drag, sums.force.z));
  sums.expansion = N::multiply_add(weighted, d_dot_w, sums.expansion);
  if constexpr (terms.diffusion)
    sums.diffusion = N::multiply_add(weighted, j.dynamic - i.dynamic, sums.diffusion);
  if constexpr (terms.shifting) {
    sums.minus_grad_c.x = N::multiply_add(weighted, d.x, sums.minus_grad_c.x);
    sums.minus_grad_c.y = N::multiply_add(weighted, d.y, sums.minus_grad_c.y);
    sums.minus_grad_c.z = N::multiply_add(weighted, d.z, sums.minus_grad_c.z);
    sums.support = N::multiply_add(weighted, at.q2, sums.support);
  }
  if constexpr (terms.xsph) {
    const T smooth = volumes * kernel_value(c.kernel, at);
    sums.drift.x = N::multiply_add(smooth, w.x, sums.drift.x);
    sums.drift.y = N::multiply_add(smooth, w.y, sums.drift.y);
    sums.drift.z = N::multiply_add(smooth, w.z, sums.drift.z);
  }
}

// ---- Walls --------------------------------------------------------------------------------------

/// Sums of a wall particle over neighbouring fluid, weighted by W.
template <class T>
struct WallSums {
  T weight;
  T pressure;
  Vec3<T> arm;  ///< sum of W d
  Vec3<T> velocity;
};

/// 22 operations, the kernel included.
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

/// Fluid state of a wall particle of velocity v (Adami, Hu & Adams 2012, J. Comput. Phys. 231,
/// 7057): the fluid's pressure, extrapolated hydrostatically into the wall with the reference
/// density, and the velocity 2 v - <v>, with which viscosity enforces v at the boundary. Wall
/// acceleration is neglected. The pressure is at least that of empty surroundings, so that walls do
/// not pull.
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

/// Density of a wall particle: that of fluid at its pressure, at least half the reference density.
template <class T>
MOTE_FORMULA T wall_density(const TaitFormula<T>& tait, T pressure) {
  const T density = tait.density_at(pressure), least = T(0.5) * tait.density;
  return density > least ? density : least;
}

/// Impact force on a particle that hits a wall. The extrapolated wall pressure does not stop a free
/// jet, whose pressure is zero; this adds the pressure of a low-dissipation Riemann solver between
/// the fluid and its mirror image (Zhang, Hu & Adams 2017, J. Comput. Phys. 335, 605), rho u min(6
/// u, c) above the mean. u is the speed towards the wall: with the sums over walls, u = expansion /
/// |minus_grad_c|. Frictionless, along minus_grad_c. 20 operations.
template <class T>
MOTE_FORMULA Vec3<T> impact_force(const FluidSums<T>& walls, T density, T sound) {
  const T square = dot(walls.minus_grad_c, walls.minus_grad_c);
  if (!(walls.expansion > T(0)) || !(square > T(0))) return {T(0), T(0), T(0)};
  // At the edge of the support `square` underflows to a subnormal, for which approximate roots
  // return inf.
  const T speed = walls.expansion * (T(1) / std::sqrt(square));
  return (T(2) * density * speed * (T(6) * speed < sound ? T(6) * speed : sound)) *
         walls.minus_grad_c;
}

// ---- Shifting -----------------------------------------------------------------------------------

/// Shifting velocity, down the gradient of the particle concentration, -A h U grad C (Lind et al.
/// 2012, J. Comput. Phys. 231, 1499, with the step of Skillen et al. 2013, Comput. Methods Appl.
/// Mech. Eng. 265, 163), at most U/2. Zero where part of the support is empty: `support` = div x /
/// dimensions is 1 within the fluid and about 1/2 at its surface. 16 operations.
template <class T>
MOTE_FORMULA Vec3<T> shift_velocity(Vec3<T> minus_grad_c, T support, T coefficient_h, T speed) {
  using N = engine::Number<T>;
  const T inside = positive_part(support - T(0.9)) * T(10);
  Vec3<T> u = (coefficient_h * speed * (inside < T(1) ? inside : T(1))) * minus_grad_c;
  const T square = dot(u, u), most = T(0.5) * speed;
  if (square > most * most) u = (most * N::rsqrt(square)) * u;
  return u;
}

// ---- From sums to rates -------------------------------------------------------------------------

/// Constants of a fluid that convert sums to rates.
template <class T>
struct FluidFactors {
  T density, sound;  ///< reference values
  T diffusivity;     ///< -2 delta h c [length^2 / time]
  /// -h^2 / dimensions: times support / volume it is 1 where the support is filled.
  T support_unit;
  T shift_h, speed;  ///< A h and U of the shifting
  T xsph;            ///< epsilon
};

template <class T>
struct FluidRates {
  Vec3<T> a;  ///< [velocity / time]
  T density;  ///< [density / time]
  Vec3<T> u;  ///< [velocity], transport velocity added to v in the drift
};

/// Rates from the sums over fluid, over wall particles and over obstacles, whose force includes
/// that of impacts. 70 operations.
template <class T>
MOTE_FORMULA FluidRates<T> fluid_rates(const FluidFactors<T>& f, bool shifting,
                                       const FluidSums<T>& fluid, const FluidSums<T>& walls,
                                       const FluidSums<T>& obstacles, T mass, T volume) {
  const T inverse_mass = T(1) / mass, inverse_volume = T(1) / volume;
  const Vec3<T> force =
      fluid.force + walls.force + obstacles.force + impact_force(walls, f.density, f.sound);
  const T rate =
      (mass * inverse_volume * (fluid.expansion + walls.expansion + obstacles.expansion) +
       f.diffusivity * fluid.diffusion) *
      inverse_volume;
  Vec3<T> u{T(0), T(0), T(0)};
  if (shifting)
    u = shift_velocity(
        inverse_volume * (fluid.minus_grad_c + walls.minus_grad_c + obstacles.minus_grad_c),
        inverse_volume * (fluid.support + walls.support + obstacles.support) * f.support_unit,
        f.shift_h, f.speed);
  return {inverse_mass * force, rate, u + f.xsph * inverse_volume * fluid.drift};
}

// ---- Time step ----------------------------------------------------------------------------------

/// The largest stable time step, from the speeds of sound and of particles (h / (c + v) / 4),
/// accelerations ((h / a)^(1/2) / 4), viscosity (h^2 / nu / 8) and surface tension
/// ((rho h^3 / 2 pi sigma)^(1/2) / 4): Monaghan 1992; Morris, Fox & Zhu 1997; Adami, Hu & Adams
/// 2012; Brackbill, Kothe & Zemach 1992, J. Comput. Phys. 100, 335.
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
