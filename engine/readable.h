#pragma once

#include <string>

#include "engine/units.h"

namespace mote::engine {

/// A time or a speed in the unit that a reader expects, whatever the units of the scene: "1.22
/// Gyr", "11.9 yr", "0.5 s", "2 ps"; "29.8 km/s". In a dimensionless system the number alone.
/// `digits`: significant ones.
std::string readable_time(double time, const UnitSystem& units, int digits = 4);
std::string readable_speed(double speed, const UnitSystem& units, int digits = 4);

/// The name of a composite unit of SI, as files have it: "J" for "kg (m/s)^2"; others as they are.
std::string readable_unit(const std::string& label);

}  // namespace mote::engine
