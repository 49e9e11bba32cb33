#pragma once

#include <string>

#include "app/commands/commands.h"

namespace mote::app {

/// What is probably meant by `words[at]`, an option that the command does not have: "did you mean
/// '--out'?"; "" if nothing is near. --set is suggested only for a parameter or a key of the scene
/// that is named.
std::string option_meant(const CLI::App& program, const CLI::App& command, const CommandLine& words,
                         std::size_t at);

}  // namespace mote::app
