#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Decimates long curves to the resolution of the plot's width. Plain arithmetic, no drawing.
namespace mote::render::ui {

/// A point of a drawn curve: y is a value, or its decimal logarithm.
struct CurvePoint {
  double x = 0, y = 0;
  bool joined = false;  ///< connected to the previous point
};

/// The plotted value: y, or log10 |y| on a logarithmic axis. NaN breaks the curve, -infinity (zero
/// on a logarithmic axis) is omitted.
double shown_value(double y, bool log);

/// First, last, lowest and highest finite values of a range of consecutive points.
struct Extent {
  /// indices of points, undefined while empty
  std::size_t first = 0, last = 0, lowest = 0, highest = 0;
  double low = 0, high = 0;
  bool empty = true;
  bool broken_before = false,
       broken_after = false;  ///< a non-finite value before the first, after the last
};

/// Cached extents of blocks of a curve's points, so that a frame costs O(width + blocks) instead of
/// O(points). Appending costs the number of new points; a block whose first, middle or last point
/// has changed is recomputed.
class CurveSummary {
 public:
  /// Call before the others, with the same points. x ascends and is finite.
  void update(std::span<const double> x, std::span<const double> y, bool log);

  /// Extent of all points.
  Extent extent() const;

  /// The curve between `low` and `high` with one point beyond each end, decimated to `columns`:
  /// each column keeps its first, last and extreme points.
  std::vector<CurvePoint> points(double low, double high, int columns) const;

 private:
  /// Bit patterns of x and y of the first, middle and last point of a block; equal NaNs compare
  /// equal.
  using Fingerprint = std::array<std::uint64_t, 6>;
  struct Block;
  Fingerprint fingerprint_of(std::size_t block) const;
  Extent extent_of(std::size_t begin, std::size_t end) const;
  Extent extent_of_points(std::size_t begin, std::size_t end) const;
  void add_point(std::vector<CurvePoint>& points, std::size_t index, bool joined) const;
  /// `broken`: the curve is interrupted before these points. Returns whether it is after them.
  bool add_points(std::vector<CurvePoint>& points, const Extent& extent, bool broken) const;
  Block block_at(std::size_t index) const;

  /// On a logarithmic axis: extents of |y|, not of log |y|.
  struct Block {
    Extent extent;
    Fingerprint fingerprint;
  };
  std::span<const double> x_, y_;
  bool log_ = false;
  std::vector<Block> blocks_;
};

}  // namespace mote::render::ui
