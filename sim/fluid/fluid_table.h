#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/params.h"
#include "sim/fluid/fluid_formula.h"

namespace mote::sim {

/// Parameters of a fluid.
struct Fluid {
  double spacing = 0;        ///< [length], > 0: particle spacing at the reference density
  double largest_speed = 0;  ///< [velocity], > 0: expected of the flow
  std::optional<double> sound_speed = {};  ///< [velocity]; default: 10 largest_speed
  double density = 1;                      ///< [density], > 0: reference density
  std::optional<double> smoothing = {};    ///< h / spacing; default: 2 in 2D, 1.5 in 3D
  std::int64_t dimensions = 3;             ///< 2 (x and y) or 3
  std::int64_t gamma = 7;
  double background_pressure = 0;   ///< [pressure]
  double viscosity = 0;             ///< nu [length^2 / time]
  double artificial_viscosity = 0;  ///< alpha
  double diffusion = 0.1;           ///< delta
  double shifting = 2;
  double xsph = 0;
  double surface_tension = 0;  ///< sigma [force / length]
  std::string walls = "no_slip";
  /// Start with hydrostatic pressure instead of the reference density.
  bool hydrostatic = false;
};

const engine::ParamTable<Fluid>& fluid_table();

inline double smoothing_length(const Fluid& fluid) {
  return fluid.smoothing.value_or(fluid.dimensions == 2 ? 2 : 1.5) * fluid.spacing;
}
inline double sound_speed(const Fluid& fluid) {
  return fluid.sound_speed.value_or(10 * fluid.largest_speed);
}
TaitFormula<double> equation_of_state(const Fluid& fluid);

}  // namespace mote::sim
