#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/run/simulation.h"

namespace mote::sim {

/// First difference between two simulations that were identical one step before.
struct Difference {
  std::uint64_t step = 0;
  std::uint32_t id = 0;  ///< id of the first body that differs
  std::string columns;   ///< columns that differ: "velocity, acceleration"
  std::string module;    ///< that computes the first of them: "gravity", "kick or drift"
};

/// Advances two identical simulations in lockstep up to step `last`; stops after the first step
/// whose states differ.
std::optional<Difference> first_difference(Simulation& a, Simulation& b, std::uint64_t last,
                                           const std::string& forces);

}  // namespace mote::sim
