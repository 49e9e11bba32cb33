#pragma once

#include <string>
#include <vector>

namespace mote::app {

/// Prints rows of a table with aligned columns, two spaces before each. All rows have the length of
/// the first one.
void print_table(const std::vector<std::vector<std::string>>& rows);

}  // namespace mote::app
