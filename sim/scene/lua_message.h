#pragma once

#include <string>
#include <utility>

namespace mote::sim {

/// An error of the interpreter, without its place, as problem and remedy. What Lua calls an attempt
/// to call a nil value is most often a name that was misspelt.
std::pair<std::string, std::string> in_plain_words(const std::string& message);

}  // namespace mote::sim
