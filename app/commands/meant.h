#pragma once

#include <string>

#include "app/commands/commands.h"

namespace mote::app {

/// Returns a hint for `words[at]`, an option that the command does not have, for example "did you
/// mean '--out'?"; "" if there is none. It suggests --set if the scene on the command line has a
/// parameter or key of that name, and, if nothing else fits, for a letter with a number (`-n 5`).
std::string option_meant(const CLI::App& program, const CLI::App& command, const CommandLine& words,
                         std::size_t at);

}  // namespace mote::app
