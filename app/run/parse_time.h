#pragma once

#include <optional>
#include <string>

#include "engine/units.h"

namespace mote::app {

/// A time as typed, "10" or "10 Myr". Its value depends on the scene's units.
using TypedTime = std::optional<std::string>;

/// Converts to the scene's units; nothing if `typed` is empty. Throws InputError naming `option`
/// for a wrong dimension, or for a unit in a unit system that has none.
std::optional<double> time_in(const TypedTime& typed, const char* option,
                              const engine::UnitSystem& units);

/// The number of a text such as "10" or "10 Myr", without its unit; nothing if it is not a number.
std::optional<double> number_of_time(const std::string& typed);

}  // namespace mote::app
