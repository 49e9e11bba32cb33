#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace mote::engine {

/// Parses a finite number. Returns an error message, or "", and the value, read exactly.
std::pair<std::string, double> number_in(std::string_view text);

}  // namespace mote::engine
