#pragma once

#include <optional>
#include <string>

#include "engine/units.h"

namespace mote::app {

/// A time as it was typed, "10" or "10 Myr": only the scene's units say how much it is.
using TypedTime = std::optional<std::string>;

/// In the scene's units; nothing for nothing. Throws InputError, which names the option, for
/// another dimension and for a unit in a system without.
std::optional<double> time_in(const TypedTime& typed, const char* option,
                              const engine::UnitSystem& units);

/// Whether this is a number, with a unit or without, and what number.
std::optional<double> number_of_time(const std::string& typed);

}  // namespace mote::app
