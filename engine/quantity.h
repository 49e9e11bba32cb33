#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/units.h"

namespace mote::engine {

/// Powers of the base quantities. Angle is one of them, so that degrees are not mistaken for pure
/// numbers.
struct Dimension {
  int length = 0, mass = 0, time = 0, angle = 0;

  bool operator==(const Dimension&) const = default;
};

/// A unit that may follow a number.
struct NamedUnit {
  std::string name;
  double si;  ///< size in m, kg, s, rad
  Dimension dimension;
};

const std::vector<NamedUnit>& named_units();

/// A converted quantity, or why it could not be converted.
struct Converted {
  std::optional<double> value;
  std::string problem = {};
  std::string remedy = {};
};

/// True if a text begins with a number.
bool looks_like_quantity(std::string_view text);

/// That number: 220 of "220 km/s". There must be one.
double leading_number(std::string_view text);

/// True if something follows that number.
bool has_unit(std::string_view text);

/// Converts a text such as "220 km/s", "1e10 Msun", "3 g/cm^3" to a number in `units`. `kind` is
/// the required quantity, as in ParamInfo::unit: length, mass, time, velocity, acceleration, angle,
/// angular velocity, rate (1 / time), inverse length, gravitational constant, density, surface
/// density, energy (of a temperature: k T), force, pressure, kinematic viscosity, stiffness (force
/// over length), surface energy, damping (force over velocity), compliance (length over force),
/// compressibility (1 / pressure), inverse energy. Angles become degrees, angular velocities
/// radians per unit of time. Units are multiplied by * or a space, divided by /, and have integer
/// powers: kpc/(km/s), cm^2, 1/Myr. Errors, such as a wrong dimension, are in the result.
Converted convert(std::string_view text, std::string_view kind, const UnitSystem& units);

/// Converts what a user types where a unit may be left out: a number alone is in `units`.
Converted convert_typed(std::string_view text, std::string_view kind, const UnitSystem& units);

}  // namespace mote::engine
