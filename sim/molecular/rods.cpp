#include "sim/molecular/rods.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <utility>

#include "engine/algo/reduce.h"
#include "engine/exec/parallel.h"
#include "sim/molecular/rod_motion.h"
#include "sim/space/fixed_field.h"
#include "sim/space/periods.h"

namespace mote::sim {
namespace {

using engine::Cpu;
using engine::Host;
using engine::Index;

constexpr Index clusters_per_task = 16;

/// Bodies that rods connect, numbered along chains and through nets layer by layer (Cuthill &
/// McKee 1969, Proc. 24th Nat. Conf. ACM, 157), so that rods which share a body are near each other
/// when sorted by the numbers of their ends. Fixed bodies are not numbered.
class RodOrder {
 public:
  RodOrder(const std::vector<Rod>& rods, std::size_t bodies)
      : begin_(bodies + 1), rank(bodies, none), cluster(bodies) {
    for (const Rod& rod : rods)
      if (!rod.fixed[0] && !rod.fixed[1]) ++begin_[at(rod.a) + 1], ++begin_[at(rod.b) + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    partner_.resize(begin_.back());
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    for (const Rod& rod : rods) {
      if (rod.fixed[0] || rod.fixed[1]) continue;
      partner_[next[at(rod.a)]++] = at(rod.b);
      partner_[next[at(rod.b)]++] = at(rod.a);
    }
    for (const Rod& rod : rods)
      for (int end = 0; end < 2; ++end) {
        const std::size_t body = at(end == 0 ? rod.a : rod.b);
        if (rod.fixed[end] || rank[body] != none) continue;
        // The last body of a search is at an end of its cluster.
        std::vector<std::size_t> found = search(body);
        for (const std::size_t i : found) rank[i] = none;
        found = search(found.back());
        for (const std::size_t i : found) cluster[i] = clusters_;
        ++clusters_;
      }
  }

 private:
  static std::size_t at(std::int32_t body) { return static_cast<std::size_t>(body); }
  std::size_t rods_of(std::size_t body) const { return begin_[body + 1] - begin_[body]; }

  /// Numbers all bodies connected to the first, breadth first, and returns them.
  std::vector<std::size_t> search(std::size_t first) {
    std::vector<std::size_t> found{first};
    std::size_t number = 0;
    rank[first] = number++;
    for (std::size_t k = 0; k < found.size(); ++k) {
      const std::size_t layer = found.size(), body = found[k];
      for (std::size_t p = begin_[body]; p < begin_[body + 1]; ++p)
        if (rank[partner_[p]] == none) rank[partner_[p]] = 0, found.push_back(partner_[p]);
      std::sort(found.begin() + static_cast<std::ptrdiff_t>(layer), found.end(),
                [&](std::size_t a, std::size_t b) {
                  return std::pair(rods_of(a), a) < std::pair(rods_of(b), b);
                });
      for (std::size_t k2 = layer; k2 < found.size(); ++k2) rank[found[k2]] = number++;
    }
    return found;
  }

  std::vector<std::size_t> begin_, partner_;  ///< bodies connected to each
  std::size_t clusters_ = 0;

 public:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::vector<std::size_t> rank, cluster;  ///< indexed by body
};

/// Sets the band of a cluster: the farthest that two of its rods with a common body are apart.
std::int32_t band_of(const Rod* rods, std::int32_t count) {
  std::vector<std::pair<std::int32_t, std::int32_t>> ends;  // body and rod
  for (std::int32_t k = 0; k < count; ++k) {
    if (!rods[k].fixed[0]) ends.emplace_back(rods[k].a, k);
    if (!rods[k].fixed[1]) ends.emplace_back(rods[k].b, k);
  }
  std::sort(ends.begin(), ends.end());
  std::int32_t band = 0;
  for (std::size_t first = 0, i = 0; i < ends.size(); ++i) {
    if (ends[i].first != ends[first].first) first = i;
    band = std::max(band, ends[i].second - ends[first].second);
  }
  return band;
}

/// Calls `use` with the index of each cluster.
template <class Use>
void each_cluster(const Cpu& exec, std::int32_t count, const Use& use) {
  engine::parallel_tasks(exec.threads, (count + clusters_per_task - 1) / clusters_per_task,
                         [&](Index task) {
                           const Index begin = task * clusters_per_task,
                                       end = std::min<Index>(begin + clusters_per_task, count);
                           for (Index k = begin; k < end; ++k) use(k);
                         });
}

}  // namespace

RodLists make_rod_lists(const BondForces& forces, const State<Host>& state) {
  RodLists lists;
  if (!forces.any_rigid()) return lists;
  const std::uint32_t *const ids = state.id(), *const end = ids + state.count();
  const auto index_of = [&](std::uint32_t id) {
    const std::uint32_t* const found = std::lower_bound(ids, end, id);
    return found != end && *found == id ? static_cast<std::int32_t>(found - ids) : -1;
  };
  state.visit([&](const auto& s) {
    const auto* const fixed = s[fields::fixed];
    const auto is_fixed = [&](std::int32_t i) { return fixed && fixed[i] != 0; };
    for (const Bond& bond : forces.bonds) {
      const BondKind& kind = forces.bond_kinds[bond.kind];
      if (!is_rigid(kind)) continue;
      const std::int32_t a = index_of(bond.a), b = index_of(bond.b);
      if (a < 0 || b < 0 || (is_fixed(a) && is_fixed(b))) continue;
      lists.rods.push_back({a, b, {is_fixed(a), is_fixed(b)}, kind.length.value_or(0)});
    }
  });
  const RodOrder order(lists.rods, static_cast<std::size_t>(state.count()));
  const auto key = [&](const Rod& rod) {
    const std::size_t a = static_cast<std::size_t>(rod.a), b = static_cast<std::size_t>(rod.b),
                      free = rod.fixed[0] ? b : a;
    const auto [low, high] = std::minmax(rod.fixed[0] ? order.rank[b] : order.rank[a],
                                         rod.fixed[1] ? order.rank[a] : order.rank[b]);
    return std::tuple(order.cluster[free], low, high, rod.a, rod.b);
  };
  std::sort(lists.rods.begin(), lists.rods.end(),
            [&](const Rod& a, const Rod& b) { return key(a) < key(b); });
  for (std::size_t first = 0, last; first < lists.rods.size(); first = last) {
    const auto cluster = std::get<0>(key(lists.rods[first]));
    for (last = first; last < lists.rods.size(); ++last)
      if (std::get<0>(key(lists.rods[last])) != cluster) break;
    const auto count = static_cast<std::int32_t>(last - first);
    const std::int32_t band = band_of(lists.rods.data() + first, count);
    lists.clusters.push_back({static_cast<std::int32_t>(first), count, band, lists.elements});
    lists.elements += static_cast<std::int64_t>(count) * (2 * band + 1);
  }
  return lists;
}

Step step_with_rods(const Step& leapfrog) {
  Step step;
  for (const Stage& stage : leapfrog) {
    step.push_back(stage);
    if (stage.kind == StageKind::drift) step.push_back({StageKind::constrain, stage.fraction});
  }
  step.push_back({StageKind::constrain, 0});
  return step;
}

RodForce::RodForce(const BondForces& forces, const Domain& domain, const State<Host>& initial)
    : lists_(make_rod_lists(forces, initial)),
      work_(lists_.rods.size()),
      matrix_(static_cast<std::size_t>(lists_.elements)),
      domain_(domain) {}

std::uint64_t RodForce::bytes(const BondForces& forces) {
  constexpr std::uint64_t matrix_row = 3 * sizeof(double);
  return forces.any_rigid() ? forces.bonds.size() *
                                  (sizeof(Rod) + sizeof(RodCluster) + sizeof(RodWork) + matrix_row)
                            : 0;
}

RodView RodForce::view() {
  RodView view{static_cast<std::int32_t>(lists_.clusters.size()),
               lists_.clusters.data(),
               lists_.rods.data(),
               work_.data(),
               matrix_.data(),
               {},
               {}};
  fill_periods(domain_, view.length, view.inverse);
  return view;
}

void RodForce::run(const Cpu&, State<Host>&, StepReport& report) {
  if (std::exchange(failed_, false)) report.health = report.health | Health::step_too_long;
}

void RodForce::constrain(const Cpu& exec, State<Host>& state, double h, const StageTime&) {
  const RodView rods = view();
  std::atomic<bool> failed = false;
  state.visit([&](const auto& s) {
    each_cluster(exec, rods.count, [&](Index k) {
      if (h == 0)
        stop_stretching(rods, s, rods.cluster[k]);
      else if (!restore_lengths(rods, s, rods.cluster[k], h))
        failed = true;
    });
  });
  failed_ = failed_ || failed;
}

double RodForce::potential_energy(const Cpu& exec, const State<Host>& state) {
  const RodView rods = view();
  virial_ = state.visit([&](const auto& s) {
    return engine::ordered_sum(exec.threads, rods.count, 0.0, [&](Index begin, Index end) {
      double part = 0;
      for (Index k = begin; k < end; ++k) part += rod_virial(rods, s, rods.cluster[k]);
      return part;
    });
  });
  return 0;
}

}  // namespace mote::sim
