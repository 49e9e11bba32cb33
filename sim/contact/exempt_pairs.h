#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/platform.h"

namespace mote::sim {

/// Pairs of grains excluded from contact forces, because other forces hold them apart. Non-owning.
struct ExemptPairs {
  /// by body index: offset of its first partner; null: no exclusions
  const std::int32_t* first = nullptr;
  const std::uint32_t* partner = nullptr;  ///< ids, sorted for each body

  MOTE_HOST_DEVICE bool has(std::int32_t index, std::uint32_t id) const {
    if (!first) return false;
    std::int32_t low = first[index], high = first[index + 1];
    const std::int32_t end = high;
    while (low < high) {
      const std::int32_t middle = low + (high - low) / 2;
      if (partner[middle] < id)
        low = middle + 1;
      else
        high = middle;
    }
    return low < end && partner[low] == id;
  }
};

/// Owns the arrays of ExemptPairs.
struct ExemptLists {
  std::vector<std::int32_t> first;
  std::vector<std::uint32_t> partner;

  ExemptLists() = default;
  /// From pairs of ids, in any order, duplicates allowed. `ids`: of all bodies, sorted. Pairs with
  /// an id not among them are ignored.
  ExemptLists(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs,
              const std::uint32_t* ids, std::size_t count) {
    if (pairs.empty()) return;
    std::vector<std::pair<std::int32_t, std::uint32_t>> all;
    const auto index_of = [&](std::uint32_t id) {
      const std::uint32_t* const found = std::lower_bound(ids, ids + count, id);
      return found != ids + count && *found == id ? static_cast<std::int32_t>(found - ids) : -1;
    };
    for (const auto& [a, b] : pairs) {
      const std::int32_t i = index_of(a), j = index_of(b);
      if (i >= 0 && j >= 0 && i != j) all.insert(all.end(), {{i, b}, {j, a}});
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    first.assign(count + 1, 0);
    for (const auto& [index, id] : all)
      ++first[static_cast<std::size_t>(index) + 1], partner.push_back(id);
    for (std::size_t i = 0; i < count; ++i) first[i + 1] += first[i];
  }

  ExemptPairs view() const { return {first.empty() ? nullptr : first.data(), partner.data()}; }
};

}  // namespace mote::sim
