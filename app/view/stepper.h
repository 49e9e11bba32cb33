#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/view/opening.h"
#include "app/view/pace.h"
#include "app/view/recorder.h"
#include "app/view/session_status.h"
#include "app/view/trail.h"
#include "sim/run/energy_health.h"
#include "sim/run/history.h"
#include "sim/run/hooks.h"
#include "sim/run/rows.h"

namespace mote::app {

/// What a window says of a failed call of CUDA's: why, and what to do there. Nothing where it was
/// another one that failed.
std::optional<std::string> gpu_words(const std::string& why);

/// A simulation with its past, its pace and its record, stepped in slices: what the thread of a
/// session does. It knows of no thread and no lock; one thread calls it.
class Stepper : private sim::HookHost {
 public:
  using Command = std::function<void()>;
  using Stop = std::function<bool()>;

  /// `history`: bytes of kept states. `scripted`: at a rate, time passes by pass() alone.
  Stepper(Opened opened, std::uint64_t history, const std::optional<RecordRequest>& record,
          bool scripted);
  /// Measures the first state, which may take as long as steps. False when there is no memory, the
  /// device has failed, or that was cancelled: then nothing else may be called but fill().
  bool begin();
  /// Makes a recorded run whole, as it stands at the furthest step of its branch.
  void finish();

  const Opened& opened() const { return opened_; }
  sim::Simulation& simulation() { return simulation_; }
  const sim::Rows& rows() const { return rows_; }
  std::uint64_t version() const { return version_; }
  /// The state is to be shown anew, though no step was taken.
  void touch() { ++version_; }

  /// Does commands, each by itself: what one throws is told.
  void do_all(const std::vector<Command>& commands);
  /// For a command that may not be done in the middle of a search of the past: it waits for the end
  /// of one. One that `redirects` a search is done at once, unless others wait already: all are
  /// done in their order.
  void in_turn(Command command, bool redirects);

  void run(bool on);
  void step(std::int64_t steps);
  void seek(std::uint64_t step);
  void change(const std::string& path, const engine::ParamValue& value);
  void set_rate(double time_per_second);
  double rate() const { return pace_.rate(); }
  /// So many seconds of a script pass.
  void pass(double seconds);
  void follow(std::optional<std::uint32_t> body);
  void tell_bodies(bool on) { tell_bodies_ = on; }
  /// So many places of each body are remembered for its trail; 0: none.
  void keep_trail(int places) { trail_.keep(places); }
  std::vector<TrailPoint> take_trail() { return trail_.hand_over(); }
  void find_hash();
  void checkpoint(const std::filesystem::path& file);

  /// A slice of steps, or of a search. `asked`: somebody waits. True when there is more to do at
  /// once.
  bool go_on(const Stop& asked);
  /// Seconds until something is due.
  double wait() const;
  /// After an exception: what failed once would fail again at once. Returns how many waiting
  /// commands were dropped.
  std::size_t give_up(const std::string& why);

  /// Says something to the user; `fail` in the log, too.
  void tell(const std::string& message);
  void fail(const std::string& message);
  void fill(SessionStatus& status);

 private:
  using Clock = std::chrono::steady_clock;

  Stop stop_after(double seconds, const Stop& asked) const;
  std::uint64_t steps_to_end() const;
  void advance(const Stop& asked);
  void continue_seek(const Stop& asked);
  void cut_rows(std::uint64_t step);
  void take_steps(std::uint64_t steps, const Stop& stop);
  void take_part(std::uint64_t steps, const Stop& stop);
  void take_report(const sim::StepReport& report);
  void watch_energy();
  void add_row(const sim::Measurement& measurement);
  void halt(const std::string& why);
  std::uint64_t first_new_step() const;
  void obey_hooks();
  void go_on_after_hooks();
  void only_recorded();

  // What hooks ask for.
  void edit(const std::string& path, const engine::ParamValue& value) override;
  void change_bodies(const sim::BodyChange& change) override;
  void row(const std::string& name, const sim::HookRow& row) override;
  void snapshot() override;
  void picture(const std::string& name) override;

  void fill_past(SessionStatus& status) const;
  void fill_bodies(SessionStatus& status);
  void fill_names(SessionStatus& status);

  Opened opened_;
  sim::Simulation& simulation_;
  std::uint64_t history_budget_;
  std::optional<sim::History> history_;  ///< made by begin()
  std::optional<Recorder> recorder_;
  std::optional<sim::Hooks> hooks_;  ///< made by begin()
  sim::HookVerdict hook_end_;        ///< how they have last stopped the run, while it is stopped; a
                                     ///< failure stays
  bool told_of_records_ = false, told_of_pictures_ = false;
  Pace pace_;
  SpeedMeter speed_;
  TrailSampler trail_;
  sim::Rows rows_;
  sim::EnergyHealth energy_;  ///< of the branch that is shown, also of what lies after now
  Mode mode_ = Mode::paused;
  std::uint64_t going_to_ = 0, version_ = 1, rows_branch_ = 0, steps_done_ = 0, messages_ = 0;
  std::vector<Command> after_seek_;
  bool past_end_ = false;       ///< the user runs on behind the end of the scene
  bool drift_told_ = false;     ///< and behind the limit of the energy error
  sim::StepReport bad_;         ///< of the last unhealthy step
  std::uint64_t bad_step_ = 0;  ///< which one that was; 0: none
  double stepping_seconds_ = 0;
  std::optional<std::uint32_t> follow_;  ///< id of a body that may be gone
  bool tell_bodies_ = false;
  std::vector<engine::Index> named_;  ///< columns of the first bodies that have names,
  std::optional<std::pair<sim::BodyIds, engine::Index>> named_of_;  ///< among these
  std::string message_;
  std::string halt_;  ///< why stepping has stopped by itself, until it goes on
  std::uint64_t hash_step_ = 0, hash_ = 0;
};

}  // namespace mote::app
