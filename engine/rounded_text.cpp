#include "engine/rounded_text.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

namespace mote::engine {

std::string rounded_text(double value) {
  return fmt::format("{:.4g}", value);
}

std::string rounded_down_text(double value) {
  // Below, powers of ten are infinite.
  if (!(value > 1e-300) || !std::isfinite(value)) return rounded_text(value);
  const int exponent = static_cast<int>(std::floor(std::log10(value))) - 2;
  // Text is what counts: its number may be above the one that was rounded, by a last bit.
  for (double digits = std::floor(value * std::pow(10, -exponent));; digits -= 1) {
    const std::string text = fmt::format(
        "{:g}", std::strtod(fmt::format("{:.0f}e{}", digits, exponent).c_str(), nullptr));
    if (digits <= 0 || std::strtod(text.c_str(), nullptr) <= value) return text;
  }
}

}  // namespace mote::engine
