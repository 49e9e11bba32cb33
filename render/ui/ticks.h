#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

/// Round numbers along an axis. Plain arithmetic: nothing here draws.
namespace mote::render::ui {

/// A place on an axis that gets a line, and what is written there.
struct Tick {
  double place = 0;  ///< in the coordinate of the axis: the value, or its power of ten on a
                     ///< logarithmic axis
  std::string label;
};

struct Ticks {
  std::vector<Tick> ticks;  ///< ascending
  double step = 0;          ///< between two of them; of a logarithmic axis: powers of ten
  /// What the labels leave out, "" for nothing: the value at a tick is this number plus its label.
  /// Used where labels would differ only far behind the point, as those of a conserved energy.
  std::string base;
};

/// Of an axis, in its coordinate.
struct Range {
  double low = 0, high = 1;
};

/// A little wider than `range`, so that nothing touches the frame; wide enough to have ticks when
/// it has no width.
Range with_margin(Range range, bool log);
/// A range that is empty or a single value is widened.
Range widened(Range range);

/// 1, 2 or 5 times a power of ten: the largest that is at most `value`, the smallest that is at
/// least `value`. `value` is positive and finite.
double round_below(double value);
double round_above(double value);

/// At whole multiples of a round step, between `low` and `high`, at most `most` (2 or more) of
/// them: the finest such step. Needs low < high.
Ticks linear_ticks(double low, double high, int most);

/// For an axis of powers of ten from `low` to `high`: decades ("1e-6"), every second, third, fifth
/// of them where they are too many, and 2 and 5 times decades where fewer than two fall inside.
Ticks decade_ticks(double low, double high, int most);

/// As many ticks, `most` to begin with, as stand apart(ticks) from each other on an axis of this
/// length; `make(most)` makes them.
template <class Make, class Apart>
Ticks as_many_as_fit(Range range, double length, int most, const Make& make, const Apart& apart) {
  for (;; --most) {
    Ticks axis = make(most);
    double closest = range.high - range.low;
    for (std::size_t i = 1; i < axis.ticks.size(); ++i)
      closest = std::min(closest, axis.ticks[i].place - axis.ticks[i - 1].place);
    if (most <= 2 || closest / (range.high - range.low) * length >= apart(axis)) return axis;
  }
}

/// `value` with as many digits as tell it from another one that is `resolution` away, 4 at least.
std::string value_text(double value, double resolution);

}  // namespace mote::render::ui
