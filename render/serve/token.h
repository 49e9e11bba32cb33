#pragma once

#include <string>
#include <string_view>

namespace mote::render::serve {

/// 160 random bits of the system, in hexadecimal digits. Throws engine::SystemError.
std::string random_token();

/// Whether two tokens are equal. The time that it takes tells only their lengths, so that answers
/// do not let anyone guess a token digit by digit.
bool same_token(std::string_view a, std::string_view b);

}  // namespace mote::render::serve
