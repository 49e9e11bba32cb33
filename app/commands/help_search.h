#pragma once

#include <string>

#include "app/commands/commands.h"

namespace mote::app {

/// Prints the commands, tables, keys, scenes and pages of the documents that have the word in their
/// name, title or description. False if there are none.
bool print_found(const CLI::App& program, const std::string& word);

}  // namespace mote::app
