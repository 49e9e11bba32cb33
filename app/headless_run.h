#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/checkpointing.h"
#include "app/headless.h"
#include "app/radial_sampling.h"
#include "app/record.h"
#include "app/watch.h"
#include "sim/run/checkpoint_folder.h"
#include "sim/run/hooks.h"
#include "sim/run/run_folder.h"
#include "sim/run/schedule.h"

namespace mote::app {

/// When the run ends and when snapshots and checkpoints are due: what the command line says, else
/// what the scene says.
struct Times {
  sim::Stop stop;
  std::optional<double> between_snapshots;
  sim::CheckpointTimes checkpoints;
};
Times times_of(const HeadlessRequest& request, const sim::SceneDescription& scene);

/// The options of a request, and what such a run holds beside its simulation.
sim::RunOptions run_options(const HeadlessRequest& request, const sim::SceneDescription& scene);

/// The last step of a run with such a clock that takes steps of `dt`, and is edited on its way.
std::uint64_t end_step(const sim::Stop& stop, std::span<const sim::Edit> edits,
                       const sim::Clockwork& clock, double dt);

/// Steps of a whole run. Throws InputError where it has no end, or one that no run gets to.
std::uint64_t total_steps(const HeadlessRequest& request, const sim::SceneDescription& scene,
                          const sim::Stop& stop, std::span<const sim::Edit> edits,
                          const sim::Clockwork& clock, double dt);

/// All that a run is made of. References outlive it.
struct RunParts {
  const HeadlessRequest& request;
  const sim::SceneDescription& scene;
  const sim::Plan& plan;
  Times times;
  std::uint64_t total = 0;       ///< steps
  std::vector<sim::Edit> edits;  ///< to be made, in order
  sim::RunClaim claim;
  std::unique_ptr<Pictures> pictures;
  std::unique_ptr<sim::Simulation> simulation;
  double opened = 0;                            ///< seconds that took
  std::chrono::steady_clock::time_point start;  ///< of the process, for its wall-clock limit
  const sim::Checkpoint* from = nullptr;        ///< where it goes on; null for a new run
  std::uint64_t frames_every = 0;  ///< steps between frames of the movie, when it goes on with one
  std::optional<double> between_frames;  ///< or [time], where steps are not all the same
};

/// One run from its first step, or from a checkpoint, to its last: steps, and what falls due
/// between them.
class HeadlessRun : private sim::HookHost {
 public:
  explicit HeadlessRun(RunParts parts);

  Outcome run();

 private:
  using Clock = std::chrono::steady_clock;

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  void begin();
  void go_on();
  void schedule();
  void schedule_times();
  void make_edits();
  void make(const sim::Edit& edit);

  // What hooks ask for.
  void edit(const std::string& path, const engine::ParamValue& value) override;
  void change_bodies(const sim::BodyChange& change) override;
  void row(const std::string& name, const sim::HookRow& row) override {
    folder_.hook_row(name, *simulation_, row);
  }
  void snapshot() override { folder_.hook_snapshot(*simulation_, scene_); }
  void picture(const std::string& name) override;

  void obey_hooks();
  bool stopped() const { return hooks_.verdict().kind == sim::HookVerdict::Kind::stop; }
  bool ends() const;
  void step_through();
  sim::StepReport advance(const std::function<bool()>& stop);
  void outputs();
  void series_row(const sim::Measurement& measurement);

  engine::Json state_json(bool sync);
  void write_checkpoint();
  void look_after(bool now);

  Outcome finish();
  void last_outputs();
  void autopsy();

  const HeadlessRequest& request_;
  const sim::SceneDescription& scene_;
  const sim::Plan& plan_;
  Times times_;
  std::uint64_t total_, series_every_ = 1, frames_every_, snapshot_of_list_ = sim::never;
  std::optional<double> between_frames_;  ///< [time], where steps are not all the same
  std::vector<sim::Edit> edits_;
  std::size_t next_edit_ = 0;
  sim::RunFolder folder_;
  std::unique_ptr<Pictures> pictures_;
  std::unique_ptr<sim::Simulation> simulation_;
  sim::Hooks hooks_;
  bool no_pictures_ = false, changed_ = false, recorded_ = false;
  Clock::time_point start_;
  RunRecord record_;
  sim::Recurrence series_, snapshots_by_step_, snapshots_by_time_, frames_;
  RadialSampling radial_;
  sim::CheckpointFolder checkpoints_;
  CheckpointClock checkpoint_clock_;
  Watch watch_;
  std::optional<std::uint64_t> checkpointed_;  ///< the step of the last one
};

}  // namespace mote::app
