#pragma once

#include <string>
#include <string_view>

namespace mote::render::serve {

/// Returns 160 random bits of the system as hexadecimal digits. Throws engine::SystemError.
std::string random_token();

/// Tells whether two tokens are equal. The time depends only on their lengths, so that one cannot
/// guess a token digit by digit.
bool same_token(std::string_view a, std::string_view b);

}  // namespace mote::render::serve
