#pragma once

#include <string>
#include <string_view>

#include "engine/units.h"

namespace mote::engine {

/// A unit for display, and the factor from the units of the scene to it.
struct AxisUnit {
  std::string name;
  double factor = 1;
};

/// The unit in which a reader expects a "time", a "velocity" or a "length" of this magnitude,
/// whatever the units of the scene: one for all values of an axis, by the largest of them. The
/// scene's own unit for other kinds of quantities, as UnitSystem::label has them; no name in a
/// dimensionless system.
AxisUnit axis_unit(std::string_view quantity, double largest, const UnitSystem& units);

/// A time or a speed in that unit: "1.22 Gyr", "11.9 yr", "0.5 s", "2 ps"; "29.8 km/s". In a
/// dimensionless system the number alone. `digits`: significant ones.
std::string readable_time(double time, const UnitSystem& units, int digits = 4);
std::string readable_speed(double speed, const UnitSystem& units, int digits = 4);

/// The name of a composite unit of SI, as files have it: "J" for "kg (m/s)^2"; others as they are.
std::string readable_unit(const std::string& label);

}  // namespace mote::engine
