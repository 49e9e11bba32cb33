#include "engine/number_in_text.h"

#include <charconv>
#include <cmath>

#include "engine/text.h"

namespace mote::engine {

std::pair<std::string, double> number_in(std::string_view text) {
  if (text.empty()) return {"has no value", 0};
  std::string_view digits = text;
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
  double value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error == std::errc::invalid_argument || stop != end)
    return {engine::quoted(text) + " is not a number", 0};
  if (error == std::errc::result_out_of_range)
    return {std::string(text) + " is beyond the range of double precision", 0};
  if (!std::isfinite(value)) return {std::string(text) + " is not finite", 0};
  return {"", value};
}

}  // namespace mote::engine
