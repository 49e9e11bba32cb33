#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mote::sim {

/// `text` without leading and trailing spaces, tabs and carriage returns.
std::string_view trimmed(std::string_view text);

/// Splits a line at its commas, removing surrounding spaces and one pair of double quotes from each
/// field; within quotes, "" is an escaped ". Returns false if a quoted field is not closed or is
/// followed by other text.
bool split_csv_line(std::string_view line, std::vector<std::string>& fields);

}  // namespace mote::sim
