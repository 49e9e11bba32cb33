#include "render/ui/number_scale.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace mote::render::ui {
namespace {

using engine::ParamInfo;
using engine::ParamValue;

/// Decades below the maximum that a logarithmic slider with minimum 0 shows.
constexpr double decades_above_zero = 6;

/// Where these decades begin on such a slider; positions below half of that are zero.
constexpr double zero_width = 0.01;

/// Relative change of a dragged value per pixel.
constexpr double drag_speed = 0.005;

/// 10^floor(log10 value).
double decade_below(double value) {
  return std::pow(10, std::floor(std::log10(value)));
}

ParamValue number(double value, bool whole) {
  if (whole) return static_cast<std::int64_t>(value);
  return value;
}

/// A bound of an integer parameter, at most the largest of 64 bits.
std::int64_t whole_bound(double bound) {
  if (bound <= -0x1p63) return std::numeric_limits<std::int64_t>::min();
  if (bound >= 0x1p63) return std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(bound);
}

template <class T>
std::optional<T> parsed(const std::string& text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The text without spaces around it, a leading + and commas that separate thousands; nothing if a
/// comma stands elsewhere ("0,5").
std::optional<std::string> plain_text(const std::string& typed) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const std::size_t first = typed.find_first_not_of(' '), last = typed.find_last_not_of(' ');
  if (first == std::string::npos) return std::nullopt;
  const std::string text = typed.substr(first, last - first + 1);
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && i == 0) continue;
    if (text[i] != ',') {
      plain += text[i];
      continue;
    }
    std::size_t digits = 0;
    while (i + 1 + digits < text.size() && is_digit(text[i + 1 + digits])) ++digits;
    const bool whole_part = plain.find_first_of(".eE") == std::string::npos;
    if (digits != 3 || !whole_part || plain.empty() || plain == "0" || !is_digit(plain.back()))
      return std::nullopt;
  }
  return plain;
}

}  // namespace

NumberScale::NumberScale(const ParamInfo& info, bool whole)
    : minimum_(whole ? std::ceil(info.minimum) : info.minimum),
      maximum_(whole ? std::floor(info.maximum) : info.maximum),
      minimum_excluded_(info.minimum_excluded),
      whole_(whole) {
  if (whole && minimum_excluded_ && minimum_ == info.minimum) ++minimum_;
  if (whole) minimum_excluded_ = false;
  bounded_ = std::isfinite(minimum_) && std::isfinite(maximum_) && minimum_ < maximum_;
  logarithmic_ = bounded_ && minimum_ >= 0 && maximum_ > 1000 * (minimum_ > 0 ? minimum_ : 1);
  smallest_ = minimum_ > 0 ? minimum_ : whole ? 1 : maximum_ * std::pow(10, -decades_above_zero);
}

/// Rounded to a multiple of the power of ten at or below `resolution`.
double NumberScale::rounded(double value, double resolution) const {
  if (whole_ && resolution < 1) return std::round(value);
  if (!(resolution > 0)) return value;
  const double grid = decade_below(resolution);
  // Divides by an integer where the grid is a fraction: 0.3, not 0.30000000000000004.
  return grid < 1 ? std::round(value * std::round(1 / grid)) / std::round(1 / grid)
                  : std::round(value / grid) * grid;
}

/// Clamped to the range, an excluded minimum to that power of ten above it.
double NumberScale::allowed(double value, double resolution) const {
  const double least = minimum_excluded_ ? minimum_ + decade_below(resolution) : minimum_;
  return std::clamp(value, std::min(least, maximum_), maximum_);
}

double NumberScale::position_of(double value) const {
  if (!bounded_ || std::isnan(value)) return 0;
  double position = (value - minimum_) / (maximum_ - minimum_);
  if (logarithmic_) {
    const double start = minimum_ > 0 ? 0 : zero_width;
    position = value < smallest_ ? 0
                                 : start + (1 - start) * std::log(value / smallest_) /
                                               std::log(maximum_ / smallest_);
  }
  return std::clamp(position, 0.0, 1.0);
}

double NumberScale::value_at(double position, double width) const {
  if (position >= 1) return maximum_;
  if (!logarithmic_) {
    const double resolution = (maximum_ - minimum_) / std::max(width, 1.0);
    return allowed(
        position <= 0 ? minimum_ : rounded(minimum_ + position * (maximum_ - minimum_), resolution),
        resolution);
  }
  const double start = minimum_ > 0 ? 0 : zero_width;
  if (position <= 0 || position < start / 2) return allowed(minimum_, smallest_);
  const double along = std::max(0.0, (position - start) / (1 - start));
  const double value = smallest_ * std::pow(maximum_ / smallest_, along);
  const double resolution = value * (std::pow(maximum_ / smallest_, 1 / std::max(width, 1.0)) - 1);
  return allowed(rounded(value, resolution), smallest_);
}

double NumberScale::dragged(double start, double pixels, double default_value) const {
  double size = std::abs(start);
  if (size == 0) size = std::isfinite(default_value) ? std::abs(default_value) : 0;
  if (size == 0) size = 1;
  double value = start + pixels * drag_speed * size;
  // A positive value that cannot be negative is multiplied, so that small values are as easy to set
  // as large ones.
  if (minimum_ >= 0 && start > 0) value = start * std::exp(pixels * drag_speed);
  // Integers below 25 change by 1 every 8 pixels.
  if (whole_ && size < 25) value = start + pixels / 8;
  const double resolution = std::max(std::abs(value), size * drag_speed) * drag_speed;
  return allowed(rounded(value, resolution), resolution);
}

double NumberScale::suggestion() const {
  // The middle of the range, rounded as on a slider of so many pixels.
  if (logarithmic_) return value_at(0.5, 10);
  if (bounded_) return value_at(0.5, 100);
  return std::clamp(minimum_ >= 0 ? 1.0 : 0.0, minimum_, maximum_);
}

std::optional<ParamValue> parse_number(const std::string& typed, const ParamInfo& info,
                                       bool whole) {
  const auto without_separators = plain_text(typed);
  if (!without_separators) return std::nullopt;
  const std::string& text = *without_separators;
  if (whole)
    if (const auto value = parsed<std::int64_t>(text)) {
      const std::int64_t least = whole_bound(std::ceil(info.minimum)),
                         most = whole_bound(std::floor(info.maximum));
      if (info.minimum_excluded && static_cast<double>(*value) <= info.minimum) return std::nullopt;
      return std::clamp(*value, least, std::max(least, most));
    }
  const auto value = parsed<double>(text);
  if (!value || !std::isfinite(*value)) return std::nullopt;
  if (whole && (*value != std::trunc(*value) || std::abs(*value) >= 0x1p63)) return std::nullopt;
  if (info.minimum_excluded && *value <= info.minimum) return std::nullopt;
  const double least = whole ? std::ceil(info.minimum) : info.minimum;
  const double most = whole ? std::floor(info.maximum) : info.maximum;
  return number(std::clamp(*value, least, std::max(least, most)), whole);
}

}  // namespace mote::render::ui
