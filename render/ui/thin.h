#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Curves of many points, thinned to what a width can show. Plain arithmetic: nothing here draws.
namespace mote::render::ui {

/// A point of a curve as it is drawn: y is a value, or the power of ten of its size.
struct CurvePoint {
  double x = 0, y = 0;
  bool joined = false;  ///< by a line with the one before
};

/// What a plot shows of a value: itself, or log10 |value| on a logarithmic axis. NaN breaks the
/// curve, -infinity (zero on a logarithmic axis) is left out of it.
double shown_value(double y, bool log);

/// Where the finite values of some neighbouring points begin, end and are extreme.
struct Extent {
  std::size_t first = 0, last = 0, lowest = 0, highest = 0;  ///< indices of points, meaningless
                                                             ///< while empty
  double low = 0, high = 0;
  bool empty = true;
  bool broken_before = false,
       broken_after = false;  ///< something that is not finite before the first, after the last
};

/// What is remembered of a curve between frames: extents of blocks of its points, so that a frame
/// costs the width and the number of blocks, not of points. A curve that grows at its end costs
/// what was added; a block whose first, middle and last points are no longer what they were is made
/// anew.
class CurveSummary {
 public:
  /// To be called before the others, with the same points. x ascends and is finite.
  void update(std::span<const double> x, std::span<const double> y, bool log);

  /// Of all points.
  Extent extent() const;

  /// The curve between `low` and `high` and one point beyond each end, thinned to `columns`: of the
  /// points of a column the first, the last and the extremes stay.
  std::vector<CurvePoint> points(double low, double high, int columns) const;

 private:
  /// Bits of x and y of the first, middle and last point of a block: a NaN is the same as itself
  /// here.
  using Witness = std::array<std::uint64_t, 6>;
  struct Block;
  Witness witness_of(std::size_t block) const;
  Extent extent_of(std::size_t begin, std::size_t end) const;
  Extent of_rows(std::size_t begin, std::size_t end) const;
  void add_point(std::vector<CurvePoint>& points, std::size_t index, bool joined) const;
  /// Says whether the curve is broken behind them; `broken`: whether it is before.
  bool add_points(std::vector<CurvePoint>& points, const Extent& extent, bool broken) const;
  Block block_at(std::size_t index) const;

  /// On a logarithmic axis of sizes, not of their logarithms.
  struct Block {
    Extent extent;
    Witness witness;
  };
  std::span<const double> x_, y_;
  bool log_ = false;
  std::vector<Block> blocks_;
};

}  // namespace mote::render::ui
