#pragma once

#include <string>
#include <vector>

namespace mote::app {

/// Names of the tables of a scene, and of all their keys, each once.
std::vector<std::string> table_names();
std::vector<std::string> key_names();

/// Prints a table of the schema with its keys. False if there is none of this name.
bool print_table(const std::string& name);

/// Prints every key of this name, or the one of this path, with its table. False if there is none.
bool print_keys(const std::string& name);

}  // namespace mote::app
