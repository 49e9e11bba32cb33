#pragma once

#include <string>

namespace mote::engine {

// Computed numbers in messages. Numbers that a user wrote are shown unrounded (number_text).

/// Four significant digits.
std::string rounded_text(double value);
/// Three significant digits, rounded down: for upper limits.
std::string rounded_down_text(double value);

}  // namespace mote::engine
