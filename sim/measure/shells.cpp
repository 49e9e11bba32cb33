#include "sim/measure/shells.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

#include "engine/exec/parallel.h"
#include "engine/exec/ranks.h"

namespace mote::sim {
namespace {

using engine::Cpu;
using engine::Index;
using Fractions = std::array<double, shell_fractions>;

/// Up to so many bodies are sorted, which is faster than to clear and search histograms.
constexpr Index most_sorted = 2048;
/// Bodies per task: at least so many, for which adding them takes much longer than adding the
/// task's histograms to the result; and at most a share of a thread's work.
constexpr Index least_per_task = Index{1} << 15, tasks_per_thread = 8;

/// Bins of the histograms of all fractions.
using Bins = std::array<ShellWeight, shell_fractions * shell_bins>;

template <class Real>
Fractions radii_of_sorted(const ShellBodies<Real>& bodies, const Fractions& fractions) {
  struct Shell {
    std::uint64_t key;
    ShellWeight weight;
  };
  const Index count = bodies.state.count;
  std::vector<Shell> shells(static_cast<std::size_t>(count));
  ShellWeight total = 0;
  for (Index i = 0; i < count; ++i) {
    const Shell shell{bodies.key(i), bodies.weight(i)};
    if (!is_finite_key(shell.key)) return {};
    total += shell.weight;
    shells[static_cast<std::size_t>(i)] = shell;
  }
  std::sort(shells.begin(), shells.end(),
            [](const Shell& a, const Shell& b) { return a.key < b.key; });
  std::vector<ShellWeight> weights;
  weights.reserve(shells.size());
  for (const Shell& shell : shells) weights.push_back(shell.weight);
  Fractions radii{};
  for (std::size_t k = 0; k < radii.size(); ++k) {
    const ShellWeight limit = shell_limit(fractions[k], total, count);
    const int at = find_shell(weights.data(), static_cast<int>(count), 0, limit).bin;
    radii[k] = std::bit_cast<double>(shells[static_cast<std::size_t>(at)].key);
  }
  return radii;
}

/// Adds the bodies in [begin, end) to the histograms of a digit. Returns whether all distances are
/// finite.
template <class Real>
bool add_shells(const ShellBodies<Real>& bodies, Index begin, Index end, int digit,
                const ShellPrefixes& prefixes, Bins& bins) {
  // Keys first: compilers vectorise their loop.
  constexpr Index batch = 256;
  std::array<std::uint64_t, batch> keys;
  bool finite = true;
  for (Index first = begin; first < end; first += batch) {
    const Index size = std::min(batch, end - first);
    for (Index i = 0; i < size; ++i) keys[static_cast<std::size_t>(i)] = bodies.key(first + i);
    for (Index i = 0; i < size; ++i) {
      const std::uint64_t key = keys[static_cast<std::size_t>(i)];
      finite = finite && is_finite_key(key);
      const int k = prefixes.first_with(key >> shell_shift(digit - 1));
      if (k < 0) continue;
      bins[static_cast<std::size_t>(k * shell_bins + shell_bin(key, digit))] +=
          bodies.weight(first + i);
    }
  }
  return finite;
}

}  // namespace

template <class Real>
Fractions shell_radii(const Cpu& exec, const ShellBodies<Real>& bodies,
                      const Fractions& fractions) {
  const Index count = bodies.state.count, all = engine::count_over(exec.ranks, count);
  if (count <= most_sorted && !exec.ranks) return radii_of_sorted(bodies, fractions);
  const Index per_task = std::max(least_per_task, count / (tasks_per_thread * exec.threads));
  ShellSearch search{};
  for (int digit = 0; digit < shell_digits; ++digit) {
    Bins bins{};
    std::mutex mutex;
    engine::parallel_tasks(exec.threads, (count + per_task - 1) / per_task, [&](Index task) {
      Bins own{};
      const Index begin = task * per_task, end = std::min(begin + per_task, count);
      const bool finite = add_shells(bodies, begin, end, digit, search.prefixes, own);
      // Integer sums: the order of tasks does not matter.
      const std::lock_guard lock(mutex);
      if (!finite) search.not_finite = 1;
      for (std::size_t bin = 0; bin < bins.size(); ++bin) bins[bin] += own[bin];
    });
    if (exec.ranks) {
      const std::vector<std::uint64_t> sums =
          engine::sum_over(exec.ranks, std::vector<std::uint64_t>(bins.begin(), bins.end()));
      std::copy(sums.begin(), sums.end(), bins.begin());
      search.not_finite = engine::any_of(exec.ranks, search.not_finite != 0) ? 1 : 0;
    }
    if (search.not_finite) break;
    const ShellPrefixes before = search.prefixes;
    for (int k = 0; k < shell_fractions; ++k) {
      const ShellWeight* const histogram =
          bins.data() + before.first_with(before.of[k]) * shell_bins;
      if (digit == 0) {
        ShellWeight total = 0;
        for (int bin = 0; bin < shell_bins; ++bin) total += histogram[bin];
        search.limit[k] = shell_limit(fractions[static_cast<std::size_t>(k)], total, all);
      }
      search.append(k, digit, find_shell(histogram, shell_bins, search.inside[k], search.limit[k]));
    }
  }
  return search.radii();
}

template Fractions shell_radii(const Cpu&, const ShellBodies<const float>&, const Fractions&);
template Fractions shell_radii(const Cpu&, const ShellBodies<const double>&, const Fractions&);

}  // namespace mote::sim
