#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/run/simulation.h"

namespace mote::sim {

/// What of two simulations, which were equal a step before, differs now.
struct Difference {
  std::uint64_t step = 0;
  std::uint32_t id = 0;  ///< of the first body that differs
  std::string columns;   ///< "velocity, acceleration"
  std::string module;    ///< what computes the first of them: "gravity", "kick or drift"
};

/// Steps both, which are equal, side by side up to a step; ends behind the first step that leaves
/// them different.
std::optional<Difference> first_difference(Simulation& a, Simulation& b, std::uint64_t last,
                                           const std::string& forces);

}  // namespace mote::sim
