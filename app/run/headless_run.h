#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/run/checkpointing.h"
#include "app/run/health_monitor.h"
#include "app/run/radial_sampling.h"
#include "app/run/run_report.h"
#include "app/run/run_request.h"
#include "app/run/watcher.h"
#include "engine/log.h"
#include "sim/output/checkpoint_folder.h"
#include "sim/output/run_folder.h"
#include "sim/schedule.h"
#include "sim/script/run_loop.h"

namespace mote::app {

/// When the run ends and when snapshots and checkpoints are due. The command line overrides the
/// scene.
struct Times {
  sim::Stop stop;
  std::optional<double> between_snapshots;
  sim::CheckpointTimes checkpoints;
};
Times times_of(const HeadlessRequest& request, const sim::SceneDescription& scene);

/// The options of a request, plus the memory needed for snapshots in flight and the last good
/// state.
sim::RunOptions run_options(const HeadlessRequest& request, const sim::SceneDescription& scene);

/// The last step of a run that continues with the steps of `clock` and these edits.
std::uint64_t end_step(const sim::Stop& stop, std::span<const sim::Edit> edits,
                       const sim::Clock& clock);

/// Steps of the full run. Throws InputError if it has no end, or one out of reach.
std::uint64_t total_steps(const HeadlessRequest& request, const sim::SceneDescription& scene,
                          const sim::Stop& stop, std::span<const sim::Edit> edits,
                          const sim::Clock& clock);

/// Constructor arguments of HeadlessRun. The references must outlive the run.
struct RunParts {
  const HeadlessRequest& request;
  const sim::SceneDescription& scene;
  const sim::Plan& plan;
  Times times;
  std::uint64_t total = 0;       ///< steps
  std::vector<sim::Edit> edits;  ///< parameter changes still to be applied, in order of step
  sim::RunClaim claim;
  std::unique_ptr<Pictures> pictures;
  Watcher* watcher = nullptr;  ///< or null
  std::unique_ptr<sim::Simulation> simulation;
  double opening_seconds = 0;
  std::chrono::steady_clock::time_point start;  ///< start of the process, for the wall-clock limit
  const sim::Checkpoint* from = nullptr;        ///< null for a new run
  bool resumed = false;                         ///< continues in the folder of that checkpoint
  std::uint64_t frames_every = 0;               ///< steps between frames of a resumed movie
  std::optional<double> between_frames;         ///< time between frames, if dt varies
};

/// Takes a run from its first step, or from a checkpoint, to its last, and writes its output.
class HeadlessRun : private sim::RunHost {
 public:
  explicit HeadlessRun(RunParts parts);

  Outcome run();

 private:
  using Clock = std::chrono::steady_clock;

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  void begin();
  /// Steps between snapshots.
  std::optional<std::int64_t> snapshot_steps() const {
    return request_.snapshot_steps ? request_.snapshot_steps : scene_.snapshots.steps;
  }
  void schedule();
  /// The last step, as far as it is known: the length of steps may change.
  void find_end();

  std::uint64_t next_due(const sim::Clock& ahead) override;
  bool on_measurement(const sim::Measurement& measurement) override;
  void on_steps(const sim::StepReport& report) override;
  void on_ready(bool changed) override;
  void on_edit(const sim::Edit& edit) override;
  void on_bodies(const sim::BodyChange& change) override;
  void on_warning(const std::string& warning) override { engine::log().warn("{}", warning); }
  void row(const std::string& name, const sim::HookRow& row) override {
    folder_.hook_row(name, *simulation_, row);
  }
  void snapshot() override { folder_.hook_snapshot(*simulation_, scene_); }
  void write_snapshot();
  void picture(const std::string& name) override;

  bool healthy() const { return loop_.health() == sim::Health::good; }
  bool ends() const;
  void step_to_end();
  void write_due_outputs();
  /// Snapshots at exact times within the last step, where the integrator can tell its state.
  void write_snapshots_within();
  /// True if the step past the end of the run has been taken, which its outputs shall not show.
  bool is_past_end() const;
  /// Time up to which outputs are written: the present, or the end of the run [time].
  double shown_until() const;
  sim::Clock shown() const;

  /// Brings the report up to what the loop has found.
  void update_report();
  engine::Json checkpoint_json(bool sync);
  void write_checkpoint();
  void forget_checkpoint();
  void monitor_health(bool now);

  Outcome finish();
  std::string how_ended(Outcome outcome) const;
  /// Calls `use` with the state at the end, which the last step may have passed.
  void with_final_state(const std::function<void()>& use);
  void write_final_outputs();
  /// Errors of forces, and of the momentum by them.
  void report_forces();
  void diagnose();

  const HeadlessRequest& request_;
  const sim::SceneDescription& scene_;
  const sim::Plan& plan_;
  Times times_;
  std::uint64_t total_, series_every_ = 1, frames_every_;
  std::optional<double> shown_before_;    ///< shown_until() of the checkpoint
  std::optional<double> between_frames_;  ///< time between frames, if dt varies
  sim::RunFolder folder_;
  std::unique_ptr<Pictures> pictures_;
  Watcher* watcher_;
  std::unique_ptr<sim::Simulation> simulation_;
  sim::RepeatedEdits steps_;
  RunReport report_;
  sim::RunLoop loop_;
  bool pictures_failed_ = false, report_written_ = false;
  bool from_checkpoint_ = false;         ///< began with one of another run
  bool at_end_ = false;                  ///< it is done, if its last row is good
  std::optional<double> snapshot_time_;  ///< time of the snapshot that holds the present state
  double stepping_since_ = 0;            ///< wall-clock time at which the present steps began [s]
  Clock::time_point start_;
  sim::Recurrence snapshots_by_step_, snapshots_by_time_, listed_snapshots_, frames_;
  RadialSampling radial_;
  ForceErrorSampling force_errors_;
  sim::CheckpointFolder checkpoints_;
  CheckpointClock checkpoint_clock_;
  HealthMonitor health_monitor_;
  std::optional<std::uint64_t> checkpointed_;  ///< step of the last checkpoint
};

}  // namespace mote::app
