#include "app/look/table_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/terminal.h"

namespace mote::app {

void print_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) line += fmt::format("  {:<{}}", row[c], widths[c]);
    engine::print("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
  }
}

}  // namespace mote::app
