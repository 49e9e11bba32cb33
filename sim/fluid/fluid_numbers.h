#pragma once

#include "sim/domain.h"
#include "sim/fluid/fluid_table.h"
#include "sim/fluid/half_space_formula.h"
#include "sim/fluid/tension_formula.h"

namespace mote::sim {

/// Constants of a fluid, in the number type of its loops.
template <class Real>
struct FluidNumbers {
  FluidNumbers(const Fluid& fluid, engine::Vec3d weight);

  TaitFormula<Real> tait;
  FluidConstants<Real> constants, at_walls;
  FluidFactors<Real> factors;
  bool shifting, xsph;
  TensionConstants<Real> tension;
  ObstacleConstants<Real> at_obstacles;
  Vec3<Real> weight_density;        ///< rho0 g [pressure / length]
  Vec3<Real> hydrostatic_gradient;  ///< rho0 g / c^2 [density / length]
};

template <class Real>
Vec3<Real> narrowed(engine::Vec3d a) {
  return {static_cast<Real>(a.x), static_cast<Real>(a.y), static_cast<Real>(a.z)};
}

/// Gravity without its components along periodic axes, which have no hydrostatic pressure.
engine::Vec3d weight_in(const Domain& domain, engine::Vec3d gravity);

/// A step is reported as too long above this multiple of the recommended one.
inline constexpr double step_tolerance = 1.5;

}  // namespace mote::sim
