#include "engine/decimal_comma.h"

#include <algorithm>

namespace mote::engine {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

std::string comma_remedy(std::string_view text) {
  constexpr std::size_t longest = 64, group = 3;
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  const std::size_t comma = text.find(','), sign = text.starts_with('-') ? 1 : 0;
  if (comma == text.npos || comma == sign || text.size() > longest) return "";
  const std::string_view before = text.substr(sign, comma - sign);
  const std::size_t end = std::min(text.find_first_not_of("0123456789", comma + 1), text.size());
  const std::size_t digits = end - comma - 1;
  if (digits == 0 || !std::all_of(before.begin(), before.end(), is_digit)) return "";
  const std::string with_point =
      std::string(text.substr(0, comma)) + "." + std::string(text.substr(comma + 1));
  // Groups of three digits may be thousands, unless the number begins with 0.
  const bool thousands = digits == group && before.size() <= group && before != "0";
  if (!thousands) {
    const bool more = end < text.size() && (text[end] == ',' || text[end] == '.');
    return "numbers have no comma" + (more ? "" : "; write " + with_point);
  }
  std::string plain(text);
  std::erase(plain, ',');
  const bool more = text.find(',', end) != text.npos;
  return "numbers have no comma; write " + plain + (more ? "" : " or " + with_point);
}

}  // namespace mote::engine
