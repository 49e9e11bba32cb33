#include "sim/io/snapshot_diff.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

namespace mote::sim {
namespace {

using engine::Index;

/// Indices of the bodies of a state, sorted by id.
std::vector<Index> by_id(const State<engine::Host>& state) {
  std::vector<Index> order(static_cast<std::size_t>(state.count()));
  std::iota(order.begin(), order.end(), Index{0});
  const std::uint32_t* ids = state.id();
  if (!std::is_sorted(ids, ids + state.count()))
    std::sort(order.begin(), order.end(), [ids](Index i, Index j) { return ids[i] < ids[j]; });
  return order;
}

struct Pair {
  Index a, b;
};

/// Indices of the bodies present in both; records those present in only one.
std::vector<Pair> pairs_of(const State<engine::Host>& a, const State<engine::Host>& b,
                           SnapshotDifference& difference) {
  const std::vector<Index> of_a = by_id(a), of_b = by_id(b);
  std::vector<Pair> pairs;
  std::size_t i = 0, j = 0;
  while (i < of_a.size() || j < of_b.size()) {
    const bool more_a = i < of_a.size(), more_b = j < of_b.size();
    const std::uint32_t id_a = more_a ? a.id()[of_a[i]] : 0, id_b = more_b ? b.id()[of_b[j]] : 0;
    if (more_a && more_b && id_a == id_b)
      pairs.push_back({of_a[i++], of_b[j++]});
    else if (more_a && (!more_b || id_a < id_b))
      difference.only_a.push_back(id_a), ++i;
    else
      difference.only_b.push_back(id_b), ++j;
  }
  return pairs;
}

/// A quantity of one body.
using Numbers = std::array<double, 3>;

double length_of(const Numbers& v) {
  return std::hypot(v[0], v[1], v[2]);
}

bool same_bits(const Numbers& a, const Numbers& b) {
  for (std::size_t k = 0; k < 3; ++k)
    if (std::bit_cast<std::uint64_t>(a[k]) != std::bit_cast<std::uint64_t>(b[k])) return false;
  return true;
}

void compare(QuantityDifference& q, const Numbers& a, const Numbers& b, std::uint32_t id) {
  if (same_bits(a, b)) return;
  q.same_bits = false;
  double absolute = length_of({a[0] - b[0], a[1] - b[1], a[2] - b[2]});
  const double scale = std::max(length_of(a), length_of(b));
  double relative = absolute > 0 ? absolute / scale : 0;  // 0 and -0 differ only in their bits
  if (!std::isfinite(absolute) || !std::isfinite(scale))
    absolute = relative = std::numeric_limits<double>::infinity();
  if (absolute > q.absolute) q.absolute = absolute, q.absolute_body = id;
  if (relative > q.relative) q.relative = relative, q.relative_body = id;
}

template <class A, class B>
void compare_all(SnapshotDifference& difference, const std::vector<Pair>& pairs,
                 StateView<const A> a, StateView<const B> b, ColumnChoice columns) {
  const auto numbers = [](auto x, auto y, auto z) {
    return Numbers{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
  };
  QuantityDifference position{.name = "position", .quantity = "length"},
      velocity{.name = "velocity", .quantity = "velocity"},
      mass{.name = "mass", .quantity = "mass"},
      acceleration{.name = "acceleration", .quantity = "acceleration"};
  const bool species = columns.species && a.species && b.species;
  for (const auto& [i, j] : pairs) {
    const std::uint32_t id = a.id[i];
    compare(position, numbers(a.x[i], a.y[i], a.z[i]), numbers(b.x[j], b.y[j], b.z[j]), id);
    if (columns.velocity)
      compare(velocity, numbers(a.vx[i], a.vy[i], a.vz[i]), numbers(b.vx[j], b.vy[j], b.vz[j]), id);
    if (columns.mass) compare(mass, numbers(a.mass[i], 0, 0), numbers(b.mass[j], 0, 0), id);
    if (columns.acceleration)
      compare(acceleration, numbers(a.ax[i], a.ay[i], a.az[i]), numbers(b.ax[j], b.ay[j], b.az[j]),
              id);
    if (species && a.species[i] != b.species[j]) ++difference.other_species;
  }
  difference.quantities.push_back(std::move(position));
  if (columns.velocity) difference.quantities.push_back(std::move(velocity));
  if (columns.mass) difference.quantities.push_back(std::move(mass));
  if (columns.acceleration) difference.quantities.push_back(std::move(acceleration));
}

}  // namespace

bool SnapshotDifference::identical() const {
  const bool same = std::all_of(quantities.begin(), quantities.end(),
                                [](const QuantityDifference& q) { return q.same_bits; });
  return same && only_a.empty() && only_b.empty() && other_species == 0 && same_columns &&
         time_a == time_b && step_a == step_b;
}

bool SnapshotDifference::within(double tolerance) const {
  const bool close =
      std::all_of(quantities.begin(), quantities.end(),
                  [tolerance](const QuantityDifference& q) { return q.relative <= tolerance; });
  const bool same_time =
      std::fabs(time_a - time_b) <= tolerance * std::max(std::fabs(time_a), std::fabs(time_b));
  return close && only_a.empty() && only_b.empty() && other_species == 0 && same_columns &&
         same_time;
}

SnapshotDifference difference_of(const LoadedSnapshot& a, const LoadedSnapshot& b) {
  SnapshotDifference difference;
  difference.time_a = a.metadata.time, difference.time_b = b.metadata.time;
  difference.step_a = a.metadata.step, difference.step_b = b.metadata.step;
  difference.same_columns = a.metadata.columns == b.metadata.columns;
  const std::vector<Pair> pairs = pairs_of(a.state, b.state, difference);
  difference.paired = pairs.size();
  const ColumnChoice columns = common(a.metadata.columns, b.metadata.columns);
  a.state.visit([&](auto of_a) {
    b.state.visit([&](auto of_b) { compare_all(difference, pairs, of_a, of_b, columns); });
  });
  return difference;
}

}  // namespace mote::sim
