#pragma once

#include <string>
#include <string_view>
#include <utility>

/// Private to sim/io: numbers of files that people and programs write.
namespace mote::sim {

/// What is wrong with a number as it stands in a file, or nothing, and its value, read exactly. It
/// is finite.
std::pair<std::string, double> number_in(std::string_view text);

}  // namespace mote::sim
