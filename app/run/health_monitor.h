#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/json_fwd.h"
#include "sim/history/edits.h"
#include "sim/run/health.h"

namespace mote::app {

/// Monitors the health of a run between its steps: saves the last good state in memory, for a
/// checkpoint should the run break, and searches for encounters that dt does not resolve. Costs at
/// most about 1 % of stepping, by operation count: a state every 2^33 interactions and at most
/// 16,384 steps; in large systems, encounters every 16th time.
class HealthMonitor {
 public:
  HealthMonitor(sim::Simulation& simulation, const sim::SceneDescription& scene);

  /// The step of the next check.
  std::uint64_t next() const { return next_; }

  /// Contents of a checkpoint besides the state.
  struct CheckpointData {
    std::vector<sim::Edit> edits;
    engine::JsonBox hook_data, run;
  };
  /// Call with a good state. Checks it if a check is due, or if `now`: parameters or bodies have
  /// changed, which stepping from the last good state would not reproduce.
  void update(bool now, const std::function<CheckpointData()>& data);

  /// The hardest encounter found that dt did not resolve.
  const std::optional<sim::Encounter>& encounter() const { return encounter_; }

  /// Diagnoses a run that has become unhealthy: restores the last good state and calls `keep`, then
  /// steps to one step before the bad one, checks encounters there, and writes the offenders (and
  /// the bodies of the encounter) with their neighbours to a file. Returns the step of the last
  /// good state, or nothing if none could be saved for lack of memory. Leaves the simulation at
  /// that earlier step.
  std::optional<std::uint64_t> rewind(const std::function<void(const CheckpointData&)>& keep,
                                      std::vector<std::uint32_t> offenders,
                                      const std::filesystem::path& offenders_file);

 private:
  void save_good_state(const std::function<CheckpointData()>& data);
  void check_encounters();

  sim::Simulation& simulation_;
  const sim::SceneDescription& scene_;
  std::uint64_t next_ = 0, next_encounter_ = 0;
  std::unique_ptr<sim::SavedState> last_good_;
  CheckpointData data_;
  bool out_of_memory_ = false, warned_ = false;
  std::optional<sim::Encounter> encounter_;
};

}  // namespace mote::app
