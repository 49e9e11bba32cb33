#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "engine/types.h"

namespace mote::sim {

/// Steps of bodies that have their own: those of bin k are 2^-k of the longest.
struct BlockSteps {
  double longest = 0;                      ///< [time]
  std::vector<engine::Index> bodies = {};  ///< by bin, up to the last that has any

  /// Bins that have bodies.
  int in_use() const {
    int used = 0;
    for (const engine::Index n : bodies) used += n > 0 ? 1 : 0;
    return used;
  }
  /// The shortest step of a body [time].
  double shortest() const { return of_bin(bodies.empty() ? 0 : bodies.size() - 1); }
  /// The longest step of a body [time].
  double longest_in_use() const {
    std::size_t bin = 0;
    while (bin + 1 < bodies.size() && bodies[bin] == 0) ++bin;
    return of_bin(bin);
  }
  double of_bin(std::size_t bin) const { return std::ldexp(longest, -static_cast<int>(bin)); }
};

}  // namespace mote::sim
