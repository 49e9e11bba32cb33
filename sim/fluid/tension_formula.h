#pragma once

#include <cmath>

#include "sim/fluid/fluid_formula.h"

/// Surface tension as a stress in the surface (continuum surface stress: Lafaurie et al. 1994, J.
/// Comput. Phys. 113, 134; for particles, Hu & Adams 2006, J. Comput. Phys. 213, 844), T = sigma (I
/// - n n) per area of surface, along which it pulls evenly and across which not at all. Here n and
/// the area per volume come from g = sum V grad W: g points into the fluid, and its integral across
/// a free surface, over the fluid's side, is 1/2. The force on i is V_i sum V_j (T_i + T_j) G d: T
/// does not depend on the order of the pair and d changes sign with it, so that momentum is kept
/// bit for bit.
///
/// With the kernel's own gradient in the place of G, which is largest where particles are near,
/// tension pulls them into clumps and drops throw out fingers. G = -g0 q^2 (1 - q/2)^2 pulls at
/// those farther away; g0 gives it the second moment of a gradient.
namespace mote::sim {

/// A symmetric tensor.
template <class T>
struct SurfaceStress {
  T xx, xy, xz, yy, yz, zz;  ///< [pressure]
};

template <class T>
struct TensionConstants {
  T strength;  ///< [force / length^(dimensions - 2)]: stress over |g|
  T floor;     ///< square of a |g| that counts as none [1 / length^2]
  T link;      ///< g0 / h^2 [1 / length^(dimensions + 2)]
};

/// |g| h below which there is hardly a surface: where particles are uneven within the fluid it is a
/// few hundredths, at a free surface 0.8.
inline constexpr double even_gradient = 0.05;

/// Stress over sigma |g|. At the surface part of the neighbours that a stress should act on are
/// missing, and the floor takes something: 1 over the integral across a flat surface of g^2 / (g^2
/// + floor)^(1/2) times the share of the second moment of G that lies within the fluid
/// (tests/sim/fluid/tension_test.cpp does that integral).
constexpr double tension_calibration(int dimensions) {
  return dimensions == 2 ? 2.946466 : 2.897576;
}

template <class T>
TensionConstants<T> tension_constants(double sigma, double h, int dimensions) {
  constexpr double pi = 3.14159265358979323846;
  const double strength = tension_calibration(dimensions) * sigma;
  const double link = dimensions == 2 ? 21 / (8 * pi) : 189 / (128 * pi * h);
  return {static_cast<T>(strength), static_cast<T>(even_gradient * even_gradient / (h * h)),
          static_cast<T>(link / (h * h * h * h))};
}

/// g of the neighbours j. 19 operations with the kernel's.
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

/// The stress of a particle: a wall that is there instead of air takes back what the end of the
/// fluid would have. `fluid`, `walls`: g over each. 56 operations.
template <class T>
MOTE_FORMULA SurfaceStress<T> surface_stress(const TensionConstants<T>& c, Vec3<T> fluid,
                                             Vec3<T> walls) {
  const SurfaceStress<T> free = stress_of_gradient(c.strength, c.floor, fluid);
  const SurfaceStress<T> closed = stress_of_gradient(c.strength, c.floor, walls);
  return {free.xx - closed.xx, free.xy - closed.xy, free.xz - closed.xz,
          free.yy - closed.yy, free.yz - closed.yz, free.zz - closed.zz};
}

/// The force on i of the neighbour j. `volumes`: V_i V_j. 44 operations with the kernel's.
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
