#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/view/added_bodies.h"
#include "app/view/opening.h"
#include "app/view/playback_rate.h"
#include "app/view/recorder.h"
#include "app/view/session_status.h"
#include "app/view/trail.h"
#include "sim/history/history.h"
#include "sim/output/measurement_series.h"
#include "sim/script/run_loop.h"

namespace mote::app {

/// The message a window shows for a failed CUDA call: the reason and what to do. Nothing for other
/// errors.
std::optional<std::string> gpu_error_message(const std::string& why);

/// A simulation with its history, playback rate and recorder, stepped in slices by the thread of a
/// session. Single-threaded: neither starts threads nor locks.
class SessionLoop : private sim::RunHost {
 public:
  using Command = std::function<void()>;
  using Stop = std::function<bool()>;

  /// `history`: bytes for saved states. `scripted`: with a rate set, only advance_clock() lets time
  /// pass.
  SessionLoop(Opened opened, std::uint64_t history, const std::optional<RecordRequest>& record,
              bool scripted);
  /// Looks at a simulation that steps elsewhere and outlives it; `opened` has none. begin(), and
  /// what changes the state, must not be called.
  SessionLoop(Opened opened, sim::Simulation& watched);
  /// Measures the first state, which may take as long as steps. False when memory runs out, the
  /// device fails or it is cancelled; only fill_status() may be called then.
  bool begin();
  /// Completes a recorded run, in its state at the last step of the current branch.
  void finish();

  const Opened& opened() const { return opened_; }
  sim::Simulation& simulation() { return simulation_; }
  const sim::MeasurementSeries& series() const { return series_; }
  std::uint64_t version() const { return version_; }

  /// A watched simulation has gone on since the last call; `last` is the last step of its run.
  void note_progress(std::uint64_t last);
  /// A row of a watched simulation.
  void add_row(const sim::Measurement& measurement) { series_.add(measurement); }
  /// A watched simulation has ended.
  void note_end_of_run(const std::string& how);

  /// Runs queued commands; an exception is reported for that command only.
  void run_commands(const std::vector<Command>& commands);
  /// Runs a command that must not run during a seek: it is deferred to the end of the seek. A
  /// command that `redirects` the seek runs at once, unless others are deferred already: order is
  /// kept.
  void run_in_order(Command command, bool redirects);

  void run(bool on);
  void step(std::int64_t steps);
  void seek(std::uint64_t step);
  void change(const std::string& path, const engine::ParamValue& value);
  // Changes by hand. An action is what undo() takes back: the edits from begin_action() to the
  // next.
  void begin_action();
  /// Begins edits of parameters likewise; a slider that is dragged is one action.
  void begin_edit(const sim::LiveEdits& edits);
  /// A body is pulled: edits of the hand (sim/hand/hand.h), all of its parameters in the first
  /// call.
  void pull(std::uint32_t body, const sim::LiveEdits& edits);
  /// The drag has ended.
  void let_go();
  void add(const AdditionRequest& request);
  void remove(std::uint32_t body);
  /// Goes back to the step of the last action, as if it had not been made.
  void undo();
  void set_rate(double time_per_second);
  double rate() const { return playback_.rate(); }
  /// Advances the clock of a script [s].
  void advance_clock(double seconds);
  void follow(std::optional<std::uint32_t> body);
  void publish_bodies(bool on) { publish_bodies_ = on, ++version_; }
  /// Finds them in the present state.
  MarkedBodies marked_bodies();
  /// Number of positions of each body in its trail; 0: no trails.
  void set_trail_length(int points) { trail_.set_length(points); }
  std::vector<TrailSample> pop_trail() { return trail_.pop(); }
  void compute_hash();
  /// Whether errors of approximate forces are sampled: at once, and after so many steps that it
  /// costs about a hundredth of them.
  void sample_force_errors(bool on) { samples_force_errors_ = on; }
  void checkpoint(const std::filesystem::path& file);

  /// Runs a slice of steps or of a seek; `interrupted` is polled and ends it early. True when there
  /// is more to do at once.
  bool run_slice(const Stop& interrupted);
  /// Time until something is due [s].
  double wait_seconds() const;
  /// Pauses after an exception, since the same work would fail again at once. Returns the number of
  /// deferred commands dropped.
  std::size_t stop_on_error(const std::string& why);

  /// Shows a message to the user; errors are also logged.
  void notify(const std::string& message);
  void report_error(const std::string& message);
  void fill_status(SessionStatus& status);

 private:
  using Clock = std::chrono::steady_clock;

  /// A drag of a body.
  struct Drag {
    std::uint64_t first, last;     ///< steps of its first edit and of its release
    std::size_t edits_before;      ///< number of edits of the history before it
    sim::LiveEdits release;        ///< after which the hand is as before
    engine::Vec3d given_before{};  ///< Simulation::momentum_given()
  };

  /// After an edit of the scene: an action of which no edit of the user has come yet begins after
  /// it, or it would take that of the scene back.
  void skip_edit_of_scene();
  void edit_together(const sim::LiveEdits& edits);
  void begin_drag(std::uint32_t body, const sim::LiveEdits& edits);
  void release(Drag& drag);
  /// Before new steps and drags: a branch that begins within a drag of the past is not pulled.
  void end_past_drag();
  /// After an edit of the user.
  void note_edited();
  Stop stop_after(double seconds, const Stop& interrupted) const;
  std::uint64_t steps_to_end() const;
  void advance(const Stop& interrupted);
  void continue_seek(const Stop& interrupted);
  void run_steps(std::uint64_t steps, const Stop& stop);
  void advance_loop(std::uint64_t steps, const Stop& stop);
  /// Pauses, or marks the state as unhealthy, if the loop has found a reason to end.
  void note_end();
  void halt(const std::string& why);
  void clear_halt();
  void report_unrecorded();

  bool ends_at_rows() const override { return false; }  // it pauses
  bool on_measurement(const sim::Measurement& measurement) override;
  void on_steps(const sim::StepReport& report) override;
  void on_edit(const sim::Edit&) override {
    ++version_, force_errors_outdated_ = true;
    skip_edit_of_scene();
  }
  void on_bodies(const sim::BodyChange&) override {
    ++version_;
    skip_edit_of_scene();
  }
  void on_discard(std::uint64_t step) override;
  void on_warning(const std::string& warning) override { report_error(warning); }
  // Requests of hooks.
  void row(const std::string& name, const sim::HookRow& row) override;
  void snapshot() override;
  void picture(const std::string& name) override;

  void update_force_errors();
  void fill_past(SessionStatus& status) const;
  void fill_body(SessionStatus& status);
  void fill_names(MarkedBodies& marked);

  Opened opened_;
  sim::Simulation& simulation_;
  std::uint64_t history_budget_;
  std::optional<sim::History> history_;  ///< created by begin()
  std::optional<Recorder> recorder_;
  std::optional<sim::RunLoop> loop_;  ///< created by begin()
  sim::HookVerdict hook_end_;  ///< why hooks stopped the run, until it resumes; failures stay
  bool reported_records_ = false, reported_pictures_ = false;
  PlaybackRate playback_;
  SpeedMeter speed_;
  TrailSampler trail_;
  sim::MeasurementSeries series_;
  Mode mode_ = Mode::paused;
  std::uint64_t watched_last_ = 0;  ///< last step of the run that is watched
  std::uint64_t watched_interactions_ = 0;
  double watched_time_ = 0;
  Clock::time_point watched_at_{};
  std::uint64_t seek_target_ = 0, version_ = 1, steps_done_ = 0, messages_ = 0;
  std::vector<Command> after_seek_;
  std::optional<sim::Obstacles> obstacles_;  ///< when bodies are added by hand
  std::vector<Drag> drags_;  ///< sorted by first step; drags of abandoned branches are removed
  bool pulling_ = false;     ///< the last of them is under way
  Clock::time_point last_edit_{};     ///< when the user last edited a parameter
  std::vector<std::size_t> actions_;  ///< number of edits before each, ascending
  bool past_end_ = false;             ///< the user continues past the end of the scene
  sim::StepReport bad_report_;        ///< report of the last unhealthy step
  std::string bad_reason_;            ///< why it is
  std::uint64_t bad_step_ = 0;        ///< its number; 0: none
  double stepping_seconds_ = 0;
  std::optional<std::uint32_t> follow_;  ///< id of a body that may no longer exist
  bool publish_bodies_ = false;
  std::vector<engine::Index> named_;  ///< indices of the first bodies with names
  std::optional<std::pair<sim::BodyIds, engine::Index>> named_for_;  ///< the bodies it was made for
  std::string message_;
  std::string halt_;  ///< why stepping stopped by itself, until it resumes
  std::uint64_t hash_step_ = 0, hash_ = 0;
  bool samples_force_errors_ = false;
  bool force_errors_outdated_ = true;  ///< an edit made them so, or they were never sampled
  std::optional<ForceErrorSample> force_errors_;
};

}  // namespace mote::app
