#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/platform.h"

namespace mote::sim {

/// Grains that do not feel each other however near they are, because something else keeps them
/// apart.
struct ExemptPairs {
  const std::int32_t* first = nullptr;  ///< of a column, where its partners begin; null: there are
                                        ///< none
  const std::uint32_t* partner = nullptr;  ///< ids, rising for each column

  MOTE_HOST_DEVICE bool has(std::int32_t column, std::uint32_t id) const {
    if (!first) return false;
    std::int32_t low = first[column], high = first[column + 1];
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

/// The same with memory of its own.
struct ExemptLists {
  std::vector<std::int32_t> first;
  std::vector<std::uint32_t> partner;

  ExemptLists() = default;
  /// Of pairs of ids, in any order and as often as they come; `ids` of all columns, rising. Pairs
  /// of which one is not there are left out.
  ExemptLists(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs,
              const std::uint32_t* ids, std::size_t count) {
    if (pairs.empty()) return;
    std::vector<std::pair<std::int32_t, std::uint32_t>> all;
    const auto column_of = [&](std::uint32_t id) {
      const std::uint32_t* const found = std::lower_bound(ids, ids + count, id);
      return found != ids + count && *found == id ? static_cast<std::int32_t>(found - ids) : -1;
    };
    for (const auto& [a, b] : pairs) {
      const std::int32_t i = column_of(a), j = column_of(b);
      if (i >= 0 && j >= 0 && i != j) all.insert(all.end(), {{i, b}, {j, a}});
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    first.assign(count + 1, 0);
    for (const auto& [column, id] : all)
      ++first[static_cast<std::size_t>(column) + 1], partner.push_back(id);
    for (std::size_t i = 0; i < count; ++i) first[i + 1] += first[i];
  }

  ExemptPairs view() const { return {first.empty() ? nullptr : first.data(), partner.data()}; }
};

}  // namespace mote::sim
