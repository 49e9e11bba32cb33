#pragma once

#include <string>

namespace mote::engine {

// Numbers that were computed, for sentences: what a user wrote stays as it is (number_text).

/// In four digits.
std::string rounded_text(double value);
/// In three digits, and not more than the value, for what must be at most so much.
std::string rounded_down_text(double value);

}  // namespace mote::engine
