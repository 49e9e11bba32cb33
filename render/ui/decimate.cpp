#include "render/ui/decimate.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "engine/check.h"

namespace mote::render::ui {
namespace {

constexpr std::size_t block_size = 128;

/// Curves with fewer points per column are not decimated.
constexpr std::size_t max_points_per_column = 4;

/// Appends `next`, which follows `all` along the curve.
void append(Extent& all, const Extent& next) {
  if (next.empty) {
    all.broken_after |= next.broken_after;
    return;
  }
  if (all.empty) {
    const bool broken = all.broken_after;
    all = next;
    all.broken_before |= broken;
    return;
  }
  if (next.low < all.low) all.low = next.low, all.lowest = next.lowest;
  if (next.high > all.high) all.high = next.high, all.highest = next.highest;
  all.last = next.last;
  all.broken_after = next.broken_after;
}

}  // namespace

double shown_value(double y, bool log) {
  if (!std::isfinite(y)) return std::numeric_limits<double>::quiet_NaN();
  return log ? std::log10(std::abs(y)) : y;
}

Extent CurveSummary::extent_of_points(std::size_t begin, std::size_t end) const {
  Extent all;
  for (std::size_t i = begin; i < end; ++i) {
    // |y| has the same order as its logarithm and is cheaper.
    const double y = log_ ? std::abs(y_[i]) : y_[i];
    if (!std::isfinite(y))
      all.broken_after = true;
    else if (!log_ || y > 0)
      append(all, {i, i, i, i, y, y, false, false, false});
  }
  return all;
}

CurveSummary::Fingerprint CurveSummary::fingerprint_of(std::size_t block) const {
  Fingerprint fingerprint;
  auto* bits = fingerprint.data();
  const std::size_t begin = block * block_size;
  for (std::size_t i : {begin, begin + block_size / 2, begin + block_size - 1}) {
    *bits++ = std::bit_cast<std::uint64_t>(x_[i]);
    *bits++ = std::bit_cast<std::uint64_t>(y_[i]);
  }
  return fingerprint;
}

CurveSummary::Block CurveSummary::block_at(std::size_t index) const {
  return {extent_of_points(index * block_size, (index + 1) * block_size), fingerprint_of(index)};
}

void CurveSummary::update(std::span<const double> x, std::span<const double> y, bool log) {
  MOTE_EXPECT(x.size() == y.size());
  x_ = x;
  y_ = y;
  if (log != log_) blocks_.clear();
  log_ = log;
  const std::size_t full_blocks = x.size() / block_size;
  if (blocks_.size() > full_blocks) blocks_.resize(full_blocks);
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    if (fingerprint_of(b) != blocks_[b].fingerprint) blocks_[b] = block_at(b);
  while (blocks_.size() < full_blocks) blocks_.push_back(block_at(blocks_.size()));
}

Extent CurveSummary::extent_of(std::size_t begin, std::size_t end) const {
  const std::size_t first = (begin + block_size - 1) / block_size,
                    last = std::min(end / block_size, blocks_.size());
  if (first >= last) return extent_of_points(begin, end);
  Extent all = extent_of_points(begin, first * block_size);
  for (std::size_t b = first; b < last; ++b) append(all, blocks_[b].extent);
  append(all, extent_of_points(last * block_size, end));
  return all;
}

Extent CurveSummary::extent() const {
  Extent all = extent_of(0, x_.size());
  if (log_ && !all.empty) all.low = std::log10(all.low), all.high = std::log10(all.high);
  return all;
}

void CurveSummary::add_point(std::vector<CurvePoint>& points, std::size_t index,
                             bool joined) const {
  points.push_back({x_[index], shown_value(y_[index], log_), joined});
}

bool CurveSummary::add_points(std::vector<CurvePoint>& points, const Extent& extent,
                              bool broken) const {
  if (extent.empty) return broken || extent.broken_after;
  broken |= extent.broken_before;
  const auto [earlier, later] = std::minmax(extent.lowest, extent.highest);
  add_point(points, extent.first, !broken);
  if (earlier != extent.first) add_point(points, earlier, true);
  if (later != earlier && later != extent.first) add_point(points, later, true);
  if (extent.last != later && extent.last != extent.first) add_point(points, extent.last, true);
  return extent.broken_after;
}

std::vector<CurvePoint> CurveSummary::points(double low, double high, int columns) const {
  std::size_t begin = std::lower_bound(x_.begin(), x_.end(), low) - x_.begin();
  std::size_t end = std::upper_bound(x_.begin(), x_.end(), high) - x_.begin();
  if (begin > 0) --begin;
  if (end < x_.size()) ++end;
  std::vector<CurvePoint> points;
  bool broken = true;
  if (end - begin <= max_points_per_column * static_cast<std::size_t>(columns)) {
    for (std::size_t i = begin; i < end; ++i)
      broken = add_points(points, extent_of_points(i, i + 1), broken);
    return points;
  }
  for (int column = 1; begin < end; ++column) {
    const double edge = low + (high - low) * column / columns;
    const std::size_t next =
        column >= columns
            ? end
            : std::lower_bound(x_.begin() + begin, x_.begin() + end, edge) - x_.begin();
    broken = add_points(points, extent_of(begin, next), broken);
    begin = next;
  }
  return points;
}

}  // namespace mote::render::ui
