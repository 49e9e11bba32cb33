#include "sim/io/csv_line.h"

#include <algorithm>

namespace mote::sim {
namespace {

/// Parses a quoted field at the front of `rest` and removes it, up to its comma or the end.
bool parse_quoted(std::string_view& rest, std::string& field) {
  rest.remove_prefix(1);
  for (;;) {
    const std::size_t quote = rest.find('"');
    if (quote == rest.npos) return false;
    field += rest.substr(0, quote);
    rest.remove_prefix(quote + 1);
    if (!rest.starts_with('"')) break;
    field += '"';
    rest.remove_prefix(1);
  }
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r"), rest.size()));
  return rest.empty() || rest[0] == ',';
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

bool split_csv_line(std::string_view line, std::vector<std::string>& fields) {
  fields.clear();
  for (std::string_view rest = line;; rest.remove_prefix(1)) {
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    std::string& field = fields.emplace_back();
    if (rest.starts_with('"')) {
      if (!parse_quoted(rest, field)) return false;
    } else {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      field = trimmed(rest.substr(0, comma));
      rest.remove_prefix(comma);
    }
    if (rest.empty()) return true;
  }
}

}  // namespace mote::sim
