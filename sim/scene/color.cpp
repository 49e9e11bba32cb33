#include "sim/scene/color.h"

#include "engine/text.h"

namespace mote::sim {
namespace {

bool is_color(const std::string& text) {
  return text.size() == 7 && text[0] == '#' &&
         text.find_first_not_of("0123456789abcdefABCDEF", 1) == text.npos;
}

}  // namespace

void check_color(Reader& reader, const std::string& color, const Table& table,
                 const std::string& path) {
  const Member* const key = table.find("color");
  if (key && !is_color(color))
    reader.problem(key->value.line, joined_path(path, "color"),
                   engine::quoted(color) + " is not a colour", "as in \"#ffcc88\"");
}

}  // namespace mote::sim
