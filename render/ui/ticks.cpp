#include "render/ui/ticks.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "engine/check.h"

namespace mote::render::ui {
namespace {

/// Maximum digits of a label; longer ones are split into a base and an offset.
constexpr int label_digits = 5;

std::string printed(const char* format, int digits, double value) {
  char text[400];
  std::snprintf(text, sizeof text, format, digits, value);
  return text;
}

/// floor(log10(|value|)), exact at powers of ten.
int exponent_of(double value) {
  return value == 0 ? 0 : std::atoi(printed("%.*e", 15, std::abs(value)).substr(18).c_str());
}

/// Exponent of a round step, which is 1, 2 or 5 times a power of ten.
int power_of_step(double step) {
  return exponent_of(step);
}

double power(double base, int exponent) {
  return exponent >= 0 ? std::pow(base, exponent) : 1 / std::pow(base, -exponent);
}

/// `multiple` of a round step, rounded once: 3 * 0.1 is 0.3, not 0.30000000000000004.
double multiple_of(double multiple, double step) {
  const int exponent = power_of_step(step);
  const double leading = std::round(step / power(10, exponent));
  return exponent >= 0 ? multiple * leading * power(10, exponent)
                       : multiple * leading / power(10, -exponent);
}

/// "1.50e+06" as "1.5e6".
std::string shortened(const std::string& text) {
  const std::size_t mark = text.find('e');
  if (mark == std::string::npos) return text;
  std::string number = text.substr(0, mark);
  if (number.find('.') != std::string::npos) number.erase(number.find_last_not_of('0') + 1);
  if (number.back() == '.') number.pop_back();
  return number + "e" + std::to_string(std::atoi(text.c_str() + mark + 1));
}

/// Label in the common format of an axis: `smallest` is the power of ten of the last digit,
/// `largest` that of the first.
std::string label_of(double value, int largest, int smallest) {
  if (value == 0) return "0";
  if (largest >= -3 && largest < 5) return printed("%.*f", std::max(0, -smallest), value);
  return shortened(printed("%.*e", std::max(0, exponent_of(value) - smallest), value));
}

/// The roundest number among the values of an axis.
double base_of(double low, double high, int smallest) {
  const double middle = (low + high) / 2;
  for (int exponent = exponent_of(middle);; --exponent) {
    const double base = multiple_of(std::round(middle / power(10, exponent)), power(10, exponent));
    if ((base >= low && base <= high) || exponent <= smallest) return base;
  }
}

/// Digits of `number`, a multiple of a power of ten, written in full.
int digits_of(double number) {
  for (int digits = 1; digits < 17; ++digits)
    if (std::strtod(printed("%.*e", digits - 1, number).c_str(), nullptr) == number) return digits;
  return 17;
}

void add_labels(Ticks& axis) {
  double size = 0;
  for (const Tick& tick : axis.ticks) size = std::max(size, std::abs(tick.position));
  const int smallest = power_of_step(axis.step);
  double base = 0;
  if (size > 0 && exponent_of(size) - smallest + 1 > label_digits) {
    base = base_of(axis.ticks.front().position, axis.ticks.back().position, smallest);
    axis.base = shortened(printed("%.*g", digits_of(base), base));
    size = 0;
    for (const Tick& tick : axis.ticks) size = std::max(size, std::abs(tick.position - base));
  }
  for (Tick& tick : axis.ticks) {
    // Rounded to a multiple of the step's power of ten to undo cancellation errors.
    const double offset =
        base == 0 ? tick.position
                  : multiple_of(std::round((tick.position - base) / power(10, smallest)),
                                power(10, smallest));
    tick.label = label_of(offset, exponent_of(size), smallest);
  }
}

std::string decade_label(int leading, int decade, bool plain) {
  if (plain) return printed("%.*f", std::max(0, -decade), leading * power(10, decade));
  return std::to_string(leading) + "e" + std::to_string(decade);
}

}  // namespace

Range widened(Range range) {
  // Avoids overflow of lengths and ticks.
  range = {std::clamp(range.low, -1e300, 1e300), std::clamp(range.high, -1e300, 1e300)};
  const double size = std::max(std::abs(range.low), std::abs(range.high));
  // A width below double precision counts as a constant.
  if (range.high - range.low > size * 1e-14) return range;
  const double half = size > 0 ? size * 0.05 : 1;
  return {range.low - half, range.high + half};
}

Range with_margin(Range range, bool log) {
  if (log) {
    if (range.high - range.low < 1) {
      const double middle = (range.low + range.high) / 2;
      range = {middle - 0.5, middle + 0.5};
    }
  } else {
    range = widened(range);
  }
  const double margin = 0.06 * (range.high - range.low);
  return {range.low - margin, range.high + margin};
}

double round_below(double value) {
  MOTE_EXPECT(value > 0 && std::isfinite(value));
  const int exponent = exponent_of(value);
  for (int leading : {5, 2})
    if (multiple_of(leading, power(10, exponent)) <= value)
      return multiple_of(leading, power(10, exponent));
  return multiple_of(1, power(10, exponent));
}

double round_above(double value) {
  MOTE_EXPECT(value > 0 && std::isfinite(value));
  const int exponent = exponent_of(value);
  for (int leading : {1, 2, 5})
    if (multiple_of(leading, power(10, exponent)) >= value)
      return multiple_of(leading, power(10, exponent));
  return multiple_of(1, power(10, exponent + 1));
}

Ticks linear_ticks(double low, double high, int max_count) {
  MOTE_EXPECT(low < high && max_count >= 2);
  Ticks axis;
  // A step that divides the length into `max_count` parts may have one tick more; then the next
  // step is used.
  axis.step = round_above((high - low) / max_count);
  for (;; axis.step = round_above(axis.step * 1.5)) {
    const double first = std::ceil(low / axis.step - 1e-9),
                 last = std::floor(high / axis.step + 1e-9);
    if (last - first + 1 > max_count) continue;
    for (double multiple = first; multiple <= last; ++multiple)
      axis.ticks.push_back({multiple_of(multiple, axis.step) + 0.0, ""});
    break;
  }
  if (!axis.ticks.empty()) add_labels(axis);
  return axis;
}

Ticks decade_ticks(double low, double high, int max_count) {
  MOTE_EXPECT(low < high && max_count >= 2);
  const int first = static_cast<int>(std::ceil(low - 1e-9)),
            last = static_cast<int>(std::floor(high + 1e-9));
  const bool plain = low >= -3.0001 && high <= 4.0001;
  Ticks axis;
  axis.step = 1;
  if (last - first + 1 < 2) {
    for (int decade = first - 1; decade <= last; ++decade)
      for (int leading : {1, 2, 5}) {
        const double position = decade + std::log10(leading);
        if (position > low - 1e-9 && position < high + 1e-9)
          axis.ticks.push_back({position, decade_label(leading, decade, plain)});
      }
    return axis;
  }
  int step = 1;
  for (int wider : {2, 3, 5, 10, 20, 50, 100, 200, 500})
    if ((last - first) / step + 1 > max_count) step = wider;
  for (int decade = first; decade <= last; ++decade)
    if (decade % step == 0)
      axis.ticks.push_back({static_cast<double>(decade), decade_label(1, decade, plain)});
  axis.step = step;
  return axis;
}

std::string value_text(double value, double resolution) {
  if (!std::isfinite(value)) return std::isnan(value) ? "NaN" : value > 0 ? "inf" : "-inf";
  const int digits = value == 0 || !(resolution > 0)
                         ? 4
                         : std::clamp(exponent_of(value) - exponent_of(resolution) + 1, 4, 16);
  return shortened(printed("%.*g", digits, value));
}

}  // namespace mote::render::ui
