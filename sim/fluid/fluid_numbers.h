#pragma once

#include "sim/fluid/fluid.h"

namespace mote::sim {

/// All that loops over the particles of a fluid need to know of it.
template <class Real>
struct FluidNumbers {
  FluidNumbers(const Fluid& fluid, engine::Vec3d weight);

  TaitFormula<Real> tait;
  FluidConstants<Real> constants, at_walls;
  FluidFactors<Real> factors;
  bool shifting, xsph;
  TensionConstants<Real> tension;
  Vec3<Real> weight_density;  ///< rho0 g [pressure / length]
  Vec3<Real> lightness;       ///< rho0 g / c^2 [density / length]
};

/// Gravity without its parts along periodic axes, where it has no weight to be carried.
engine::Vec3d weight_in(const Domain& domain, engine::Vec3d gravity);

/// A step may be longer than the recommended one by this before it is taken for unhealthy.
inline constexpr double patience_with_steps = 1.5;

}  // namespace mote::sim
