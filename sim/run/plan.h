#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/exec/policy.h"
#include "engine/types.h"
#include "sim/scene/description.h"

namespace mote::sim {

/// What the command line asks of a simulation; what is not given is chosen.
struct RunOptions {
  engine::Backend backend = engine::Backend::automatic;
  std::optional<engine::Precision> precision = {};
  std::optional<int> threads = {};
  std::optional<engine::SimdLevel> simd = {};
};

/// How a scene will run on this machine, decided before anything is allocated.
struct Plan {
  engine::Backend backend;
  engine::Cpu cpu;
  engine::Precision precision;
  std::int64_t series_steps;         ///< steps between measurements
  std::uint64_t memory;              ///< bytes that the simulation will take
  std::vector<std::string> reasons;  ///< a line for each choice that was not asked for
};

/// Chooses backend, precision and the rest. Throws InputError when the machine cannot do what was asked: a
/// backend that is not there, more memory than is free (naming the largest number of bodies that fits).
Plan make_plan(const SceneDescription& scene, const RunOptions& options);

}  // namespace mote::sim
