#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

/// Axis ticks at round numbers. Plain arithmetic, no drawing.
namespace mote::render::ui {

/// A tick of an axis and its label.
struct Tick {
  double position = 0;  ///< value, or its decimal logarithm on a logarithmic axis
  std::string label;
};

struct Ticks {
  std::vector<Tick> ticks;  ///< ascending
  double step = 0;          ///< spacing; in powers of ten on a logarithmic axis
  /// Common offset of the labels, "" for none: the value at a tick is this number plus its label.
  /// Used where labels would differ only in late digits, such as a conserved energy.
  std::string base;
};

/// Range of an axis, in its coordinate.
struct Range {
  double low = 0, high = 1;
};

/// Slightly wider than `range`, so that nothing touches the frame; an empty range is widened.
Range with_margin(Range range, bool log);
/// Widens a range that is empty or a single value.
Range widened(Range range);

/// 1, 2 or 5 times a power of ten: the largest at most `value`, the smallest at least `value`.
/// `value` is positive and finite.
double round_below(double value);
double round_above(double value);

/// At integer multiples of a round step between `low` and `high`: the finest step with at most
/// `max_count` (2 or more) ticks. Needs low < high.
Ticks linear_ticks(double low, double high, int max_count);

/// Ticks of an axis of powers of ten from `low` to `high`: decades ("1e-6"), every second, third,
/// fifth of them if there are too many, and 2 and 5 times decades if fewer than two are inside.
Ticks decade_ticks(double low, double high, int max_count);

/// Returns as many ticks from make(max_count) as are at least spacing(ticks) apart on an axis of
/// this length, starting from `max_count`.
template <class Make, class Spacing>
Ticks fit_ticks(Range range, double length, int max_count, const Make& make,
                const Spacing& spacing) {
  for (;; --max_count) {
    Ticks axis = make(max_count);
    double closest = range.high - range.low;
    for (std::size_t i = 1; i < axis.ticks.size(); ++i)
      closest = std::min(closest, axis.ticks[i].position - axis.ticks[i - 1].position);
    if (max_count <= 2 || closest / (range.high - range.low) * length >= spacing(axis)) return axis;
  }
}

/// `value` with enough digits, 4 at least, to distinguish it from one `resolution` away.
std::string value_text(double value, double resolution);

}  // namespace mote::render::ui
