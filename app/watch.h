#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/json_fwd.h"
#include "sim/run/edits.h"
#include "sim/run/health.h"

namespace mote::app {

/// Looks after the health of a run between its steps: keeps the last good state in memory, for a
/// checkpoint when the run breaks, and looks for encounters that its steps are too large for. Both
/// are rare enough to cost about a hundredth of stepping at most, by counting: a state every 2^33
/// interactions and no more than 16,384 steps; encounters every 16th time in large systems.
class Watch {
 public:
  Watch(sim::Simulation& simulation, const sim::SceneDescription& scene);

  /// The step at which to look next.
  std::uint64_t next() const { return next_; }

  /// What goes into a checkpoint beside the state.
  struct Notes {
    std::vector<sim::Edit> edits;
    engine::JsonBox hook_data, run;
  };
  /// The present state is good. Looks when it is time to, or when `now`: something has changed that
  /// stepping on from the last good state would not repeat.
  void look(bool now, const std::function<Notes()>& notes);

  /// The hardest encounter seen that steps were too large for.
  const std::optional<sim::Encounter>& encounter() const { return encounter_; }

  /// Of a run that has become unhealthy: goes back to the last good state, hands it to `keep`, and
  /// from there to the step before the bad one, where it looks at encounters and writes the
  /// offenders (and those of the encounter) with their neighbours into a file. Returns the step of
  /// the last good state, nothing when there is none (no memory for it). Afterwards the simulation
  /// stands elsewhere.
  std::optional<std::uint64_t> go_back(const std::function<void(const Notes&)>& keep,
                                       std::vector<std::uint32_t> offenders,
                                       const std::filesystem::path& offenders_file);

 private:
  void keep_good(const std::function<Notes()>& notes);
  void look_for_encounters();

  sim::Simulation& simulation_;
  const sim::SceneDescription& scene_;
  std::uint64_t next_ = 0, next_encounter_ = 0;
  std::unique_ptr<sim::KeptState> good_;
  Notes notes_;
  bool no_room_ = false, warned_ = false;
  std::optional<sim::Encounter> encounter_;
};

}  // namespace mote::app
