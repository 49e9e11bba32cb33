#pragma once

#include <cmath>

#include "sim/fluid/fluid_formula.h"

/// Surface tension as a stress in the surface (continuum surface stress: Lafaurie et al. 1994, J.
/// Comput. Phys. 113, 134; for particles, Hu & Adams 2006, J. Comput. Phys. 213, 844), T = sigma (I
/// - n n) per area of surface: isotropic in the surface, zero across it. The normal n and the area
/// per volume come from g = sum V grad W: g points into the fluid, and its integral across a free
/// surface, over the fluid's side, is 1/2. The force on i is V_i sum V_j (T_i + T_j) G d: T_i + T_j
/// is symmetric in the pair and d antisymmetric, so that momentum is conserved bit for bit.
///
/// With the kernel's own gradient as G, which is largest at short distance, particles clump and
/// drops grow fingers. G = -g0 q^2 (1 - q/2)^2 acts at larger distance; g0 gives it the second
/// moment of a kernel gradient.
namespace mote::sim {

/// A symmetric tensor.
template <class T>
struct SurfaceStress {
  T xx, xy, xz, yy, yz, zz;  ///< [pressure]
};

template <class T>
struct TensionConstants {
  T strength;  ///< [force / length^(dimensions - 2)]: stress over |g|
  T floor;     ///< square of a negligible |g| [1 / length^2]
  T link;      ///< g0 / h^2 [1 / length^(dimensions + 2)]
};

/// |g| h below which there is no surface: irregular spacing inside the fluid gives a few
/// hundredths, a free surface 0.8.
inline constexpr double negligible_gradient = 0.05;

/// Stress over sigma |g|, which corrects for the missing neighbours at the surface and for the
/// floor: the inverse of the integral across a flat surface of g^2 / (g^2 + floor)^(1/2) times the
/// fraction of the second moment of G that lies within the fluid (integrated in
/// tests/sim/fluid/tension_test.cpp).
constexpr double tension_calibration(int dimensions) {
  return dimensions == 2 ? 2.946466 : 2.897576;
}

template <class T>
TensionConstants<T> tension_constants(double sigma, double h, int dimensions) {
  constexpr double pi = 3.14159265358979323846;
  const double strength = tension_calibration(dimensions) * sigma;
  const double link = dimensions == 2 ? 21 / (8 * pi) : 189 / (128 * pi * h);
  return {static_cast<T>(strength),
          static_cast<T>(negligible_gradient * negligible_gradient / (h * h)),
          static_cast<T>(link / (h * h * h * h))};
}

/// Adds a neighbour's part of g. 19 operations, the kernel included.
template <class T>
MOTE_FORMULA void add_surface_gradient(const SmoothingKernel<T>& k, Vec3<T> d,
                                       const KernelPoint<T>& at, T volume, Vec3<T>& g) {
  using N = engine::Number<T>;
  const T weighted = volume * kernel_gradient(k, at);
  g = {N::multiply_add(d.x, weighted, g.x), N::multiply_add(d.y, weighted, g.y),
       N::multiply_add(d.z, weighted, g.z)};
}

/// strength |g| (I - n n), smooth where g is small. 25 operations.
template <class T>
MOTE_FORMULA SurfaceStress<T> stress_of_gradient(T strength, T floor, Vec3<T> g) {
  using std::sqrt;
  const T square = dot(g, g), over = strength / sqrt(square + floor);
  return {over * (square - g.x * g.x), T(0) - over * g.x * g.y, T(0) - over * g.x * g.z,
          over * (square - g.y * g.y), T(0) - over * g.y * g.z, over * (square - g.z * g.z)};
}

/// Surface stress of a particle: where a wall replaces air, its part cancels that of the fluid's
/// edge. `fluid`, `walls`: g over each. 56 operations.
template <class T>
MOTE_FORMULA SurfaceStress<T> surface_stress(const TensionConstants<T>& c, Vec3<T> fluid,
                                             Vec3<T> walls) {
  const SurfaceStress<T> free = stress_of_gradient(c.strength, c.floor, fluid);
  const SurfaceStress<T> closed = stress_of_gradient(c.strength, c.floor, walls);
  return {free.xx - closed.xx, free.xy - closed.xy, free.xz - closed.xz,
          free.yy - closed.yy, free.yz - closed.yz, free.zz - closed.zz};
}

/// Adds the force of neighbour j on i. `volumes`: V_i V_j. 44 operations, the kernel included.
template <class T>
MOTE_FORMULA void add_tension(T link, Vec3<T> d, const KernelPoint<T>& at, T volumes,
                              const SurfaceStress<T>& i, const SurfaceStress<T>& j,
                              Vec3<T>& force) {
  const T weight = volumes * link * (at.q2 * (at.fall * at.fall));
  const T xy = i.xy + j.xy, xz = i.xz + j.xz, yz = i.yz + j.yz;
  force = force + weight * Vec3<T>{(i.xx + j.xx) * d.x + xy * d.y + xz * d.z,
                                   xy * d.x + (i.yy + j.yy) * d.y + yz * d.z,
                                   xz * d.x + yz * d.y + (i.zz + j.zz) * d.z};
}

}  // namespace mote::sim
