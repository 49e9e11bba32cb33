#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/units.h"

namespace mote::engine {

/// Powers of the base quantities. An angle is one of them here, so that degrees are never taken for
/// a number.
struct Dimension {
  int length = 0, mass = 0, time = 0, angle = 0;

  bool operator==(const Dimension&) const = default;
};

/// A unit that may stand behind a number; the one list of them.
struct NamedUnit {
  std::string name;
  double si;  ///< size in m, kg, s, rad
  Dimension dimension;
};

const std::vector<NamedUnit>& named_units();

/// What a quantity with a unit became, or why it became nothing.
struct Converted {
  std::optional<double> value;
  std::string problem = {};
  std::string remedy = {};
};

/// Whether a text begins like a quantity: with a number.
bool looks_like_quantity(std::string_view text);

/// Whether something stands behind that number.
bool has_unit(std::string_view text);

/// A text such as "220 km/s", "1e10 Msun", "3 g/cm^3" as a number in `units`. `kind` is what is
/// needed, as in ParamInfo::unit: length, mass, time, velocity, acceleration, angle, angular
/// velocity, rate (1 / time), inverse length, gravitational constant, density, surface density,
/// energy (of a temperature: k T), force, pressure, kinematic viscosity, stiffness (force over
/// length), surface energy, damping (force over velocity), compliance (length over force),
/// compressibility (1 / pressure), inverse energy. Angles become degrees, angular velocities
/// radians per unit of time. Units multiply by * or a space, divide by /, and have whole powers:
/// kpc/(km/s), cm^2, 1/Myr. Whatever is wrong, the dimension above all, is said in the result.
Converted convert(std::string_view text, std::string_view kind, const UnitSystem& units);

}  // namespace mote::engine
