#include "engine/rounded_text.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

namespace mote::engine {

std::string rounded_text(double value) {
  return fmt::format("{:.4g}", value);
}

std::string rounded_down_text(double value) {
  // For smaller values the power of ten below overflows.
  if (!(value > 1e-300) || !std::isfinite(value)) return rounded_text(value);
  const int exponent = static_cast<int>(std::floor(std::log10(value))) - 2;
  // Compare the number that the text reads back as: it may exceed the value by one ULP.
  for (double digits = std::floor(value * std::pow(10, -exponent));; digits -= 1) {
    const std::string text = fmt::format(
        "{:g}", std::strtod(fmt::format("{:.0f}e{}", digits, exponent).c_str(), nullptr));
    if (digits <= 0 || std::strtod(text.c_str(), nullptr) <= value) return text;
  }
}

}  // namespace mote::engine
