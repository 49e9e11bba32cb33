#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/exec/policy.h"
#include "engine/types.h"
#include "sim/scene/description.h"
#include "sim/step.h"

namespace mote::sim {

class Lockstep;

/// What the command line asks of a simulation; what is not given is chosen.
struct RunOptions {
  engine::Backend backend = engine::Backend::automatic;
  std::optional<engine::Precision> precision = {};
  std::optional<int> threads = {};
  std::optional<engine::SimdLevel> simd = {};
  std::optional<int> device = {};  ///< which GPU, counted as CUDA counts those it may see
  Stepping stepping = Stepping::automatic;
  /// Whole states that the caller will hold in memory beside the simulation: copies that it cannot
  /// do without, such as those that a SnapshotWriter has not written yet, and ones by
  /// Simulation::keep, without which it goes on where there is no room.
  int copies = 0, kept = 0;
  /// Of the job that this is part of: small systems on a GPU step with others then.
  Lockstep* lockstep = nullptr;
};

/// How a scene will run on this machine, decided before anything is allocated.
struct Plan {
  engine::Backend backend;
  engine::Cpu cpu;  ///< makes the bodies, whichever backend steps them
  engine::Precision precision;
  int device = 0;                           ///< which GPU, when the backend is cuda
  std::string device_name = {};             ///< "" when the backend is cpu
  Stepping stepping = Stepping::automatic;  ///< never automatic when the backend is cuda
  Lockstep* lockstep = nullptr;             ///< null where it steps alone; outlives the simulation
  std::int64_t series_steps;                ///< steps between measurements
  int copies = 0;                           ///< as in RunOptions
  std::uint64_t memory;  ///< bytes of host memory that the simulation, copies and kept states will
                         ///< take
  std::uint64_t device_memory;       ///< bytes of the GPU's memory, 0 when the backend is cpu; kept
                                     ///< states are there
  std::vector<std::string> reasons;  ///< a line for each choice that was not asked for
};

/// How many bodies a GPU can step in one kernel. Zeros in a build without CUDA.
struct SteppingLimits {
  engine::Index cluster = 0, cooperative = 0;
  engine::Index pairs = 0;  ///< where there are forces of near pairs and no others
};
SteppingLimits stepping_limits(int device, engine::Precision precision);

/// Bytes of device memory for a scene of so many bodies.
std::uint64_t device_bytes_for(const SceneDescription& scene, engine::Index count,
                               engine::Precision precision);

/// Chooses backend, precision and the rest. Throws InputError when the machine cannot do what was
/// asked: a backend that is not there, more memory than is free (naming the largest number of
/// bodies that fits).
Plan make_plan(const SceneDescription& scene, const RunOptions& options);

/// Whether a simulation can step in one kernel with others (batch.h).
bool steps_with_others(const Plan& plan, const SceneDescription& scene, engine::Index count);

/// Throws InputError when a simulation of `now` bodies has no memory for `more` beside them, naming
/// the largest number that fits.
void check_memory_for(const SceneDescription& scene, const Plan& plan, engine::Index now,
                      engine::Index more);

/// How a GPU is driven where the number of bodies has changed on the way: as planned, or as near to
/// it as so many allow. All ways give the same bits.
Stepping stepping_for(const Plan& plan, const SceneDescription& scene, engine::Index count);

}  // namespace mote::sim
