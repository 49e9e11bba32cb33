#include "sim/expansions/curve_shares.h"

#include <algorithm>
#include <cmath>

namespace mote::sim {

using engine::Index;
using engine::Range;
using engine::Ranks;

namespace {

/// The first cell of a level for which is(cell), which then holds for all after it; else the end of
/// the level.
template <class Is>
std::uint32_t first_of_level(const Tree& tree, std::size_t level, const Is& is) {
  const std::vector<TreeCell>& cells = tree.cells();
  const auto at = [&](std::size_t k) {
    return cells.begin() + static_cast<std::ptrdiff_t>(tree.levels()[k]);
  };
  const auto found = std::partition_point(at(level), at(level + 1),
                                          [&](const TreeCell& cell) { return !is(cell); });
  return static_cast<std::uint32_t>(found - cells.begin());
}

Index end_of(const TreeCell& cell) {
  return Index{cell.first} + cell.count;
}

}  // namespace

std::vector<Range> cells_inside(const Tree& tree, const Range& bodies) {
  std::vector<Range> inside;
  for (std::size_t level = 0; level + 1 < tree.levels().size(); ++level) {
    const std::uint32_t begin = first_of_level(
        tree, level, [&](const TreeCell& cell) { return cell.first >= bodies.begin; });
    const std::uint32_t end = first_of_level(
        tree, level, [&](const TreeCell& cell) { return end_of(cell) > bodies.end; });
    inside.push_back({begin, std::max(begin, end)});
  }
  return inside;
}

std::vector<std::uint32_t> cells_across(const Tree& tree, const std::vector<Index>& borders) {
  std::vector<std::uint32_t> across;
  for (std::size_t level = tree.levels().size() - 1; level-- > 0;)
    for (const Index border : borders) {
      const std::uint32_t c =
          first_of_level(tree, level, [&](const TreeCell& cell) { return end_of(cell) > border; });
      const bool is_across = c < tree.levels()[level + 1] && tree.cells()[c].first < border;
      if (is_across && (across.empty() || across.back() != c)) across.push_back(c);
    }
  return across;
}

std::vector<Index> CurveShares::borders(const Ranks* ranks, Index count) const {
  std::vector<Index> borders{0};
  const int size = ranks ? ranks->size() : 1;
  for (int rank = 0; rank + 1 < size; ++rank)
    borders.push_back(end_.empty() ? engine::share_of(count, rank, size).end
                                   : std::llround(end_[static_cast<std::size_t>(rank)] *
                                                  static_cast<double>(count)));
  borders.push_back(count);
  return borders;
}

void CurveShares::balance(Ranks* ranks, std::uint64_t own_work) {
  if (!ranks) return;
  const std::vector<std::uint64_t> work = engine::gather_one(ranks, own_work);
  const std::size_t size = work.size();
  double all = 0;
  for (const std::uint64_t w : work) all += static_cast<double>(w);
  if (!(all > 0)) return;
  if (end_.empty())
    for (std::size_t r = 1; r <= size; ++r)
      end_.push_back(static_cast<double>(r) / static_cast<double>(size));
  std::vector<double> moved;
  std::size_t in = 0;  // the old range in which the new border is
  double before = 0;   // the work of those before it
  for (std::size_t r = 1; r < size; ++r) {
    const double wanted = all * static_cast<double>(r) / static_cast<double>(size);
    while (in + 1 < size && before + static_cast<double>(work[in]) < wanted)
      before += static_cast<double>(work[in++]);
    const double begin = in > 0 ? end_[in - 1] : 0, own = static_cast<double>(work[in]);
    const double part = own > 0 ? std::min(1.0, (wanted - before) / own) : 0;
    moved.push_back(std::clamp(begin + part * (end_[in] - begin), begin, end_[in]));
  }
  moved.push_back(1);
  end_ = moved;
}

}  // namespace mote::sim
