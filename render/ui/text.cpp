#include <cmath>
#include <cstdio>

#include "engine/text.h"
#include "render/ui/widgets.h"

namespace mote::render::ui {
namespace {

constexpr int text_digits = 4;

/// "1.234e-05" as "1.234e-5", "1.500e+06" as "1.5e6".
std::string scientific(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*e", text_digits - 1, value);
  std::string number = text;
  const std::size_t mark = number.find('e');
  const int exponent = std::stoi(number.substr(mark + 1));
  number.resize(mark);
  number.erase(number.find_last_not_of('0') + 1);
  if (number.back() == '.') number.pop_back();
  return number + "e" + std::to_string(exponent);
}

/// Without an exponent, rounded to the same text_digits, without trailing zeros.
std::string plain(double value) {
  char rounded[40], text[60];
  std::snprintf(rounded, sizeof rounded, "%.*e", text_digits - 1, value);
  const double number = std::strtod(rounded, nullptr);
  const int exponent =
      number == 0 ? 0 : std::stoi(std::string(rounded).substr(std::string(rounded).find('e') + 1));
  if (exponent >= text_digits) return engine::with_thousands(std::llround(number));
  std::snprintf(text, sizeof text, "%.*f", std::max(0, text_digits - 1 - exponent), number);
  std::string shown = text;
  if (shown.find('.') != std::string::npos) {
    shown.erase(shown.find_last_not_of('0') + 1);
    if (shown.back() == '.') shown.pop_back();
  }
  return shown;
}

std::string number_text(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  const double size = std::abs(value);
  if (value == std::trunc(value) && size < 1e9)
    return engine::with_thousands(static_cast<long long>(value));
  if (size >= 1e15 || size < 1e-15) return scientific(value);
  const std::string in_full = plain(value), with_exponent = scientific(value);
  const bool far_from_one = size >= 1e6 || size < 1e-3;
  return far_from_one && with_exponent.size() < in_full.size() ? with_exponent : in_full;
}

}  // namespace

std::string number_with_unit(double value, const std::string& unit) {
  return unit.empty() ? number_text(value) : number_text(value) + " " + unit;
}

std::string bytes_text(double bytes) {
  // Three text_digits, or as many as precede the point; what would round up to 1024 uses the next
  // unit.
  const char* const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  int unit = 0;
  for (; std::round(bytes) >= 1024 && unit < 5; ++unit) bytes /= 1024;
  char text[60];
  const bool fraction =
      unit > 0 && bytes < 99.95 && std::round(bytes * 10) != 10 * std::round(bytes);
  std::snprintf(text, sizeof text, "%.*f %s", fraction ? 1 : 0, bytes, units[unit]);
  return text;
}

}  // namespace mote::render::ui
