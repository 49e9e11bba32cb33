#pragma once

#include <cstdint>
#include <string>

#include "sim/run/plan.h"

namespace mote::sim {

/// The memory and exchange that a GPU or process of a plan needs [bytes].
struct RankNeeds {
  std::uint64_t memory = 0, device_memory = 0;  ///< as in Plan
  /// The most that one of them receives from the others for an evaluation of forces of all bodies.
  std::uint64_t received = 0;
  /// What it also receives, of a size that only an evaluation tells, such as "sums of pairs".
  std::string also = {};
};

/// Finds the needs from the plan alone: no body is made, and nothing is opened. Throws the
/// InputError of a scene that cannot be divided between so many, as opening it does.
RankNeeds needs_of_ranks(const SceneDescription& scene, const Plan& plan);

}  // namespace mote::sim
