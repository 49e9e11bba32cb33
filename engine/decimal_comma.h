#pragma once

#include <string>
#include <string_view>

namespace mote::engine {

/// The remedy for a number with a comma, "0,1" or "384,400 km", in which some countries have a
/// decimal point and others thousands; "" for other texts.
std::string comma_remedy(std::string_view text);

}  // namespace mote::engine
