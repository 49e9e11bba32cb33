#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mote::sim {

/// Without the spaces, tabs and carriage returns at its ends.
std::string_view trimmed(std::string_view text);

/// Splits a line at its commas. Fields lose the spaces around them and one pair of double quotes;
/// within quotes, "" stands for ". False when a quoted field does not end, or goes on behind its
/// end.
bool split_csv_line(std::string_view line, std::vector<std::string>& fields);

}  // namespace mote::sim
