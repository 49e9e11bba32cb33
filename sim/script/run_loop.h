#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "sim/history/stepper.h"
#include "sim/run/energy_health.h"
#include "sim/script/hook_host.h"
#include "sim/script/hooks.h"

namespace mote::sim {

/// The part of a program in a run beside stepping it: it writes files, draws, keeps a past.
class RunHost {
 public:
  virtual ~RunHost() = default;
  /// The first step after the present one at which it has something to do, with the steps of this
  /// clock; `never` if none.
  virtual std::uint64_t next_due(const Clock& /*ahead*/) { return never; }
  /// A measurement, in the order of steps; a GPU may be further ahead. False: it does not count,
  /// because it is not part of the run.
  virtual bool on_measurement(const Measurement&) { return true; }
  /// Steps were taken, the last of which may be unhealthy. Outputs of the present step belong here:
  /// hooks and edits change the state after it.
  virtual void on_steps(const StepReport&) {}
  /// Steps, hooks and edits of the present step are done, and the run is healthy. `changed`: hooks
  /// or edits have changed parameters or bodies.
  virtual void on_ready(bool /*changed*/) {}
  virtual void on_edit(const Edit&) {}
  virtual void on_bodies(const BodyChange&) {}
  /// Steps after this one were discarded.
  virtual void on_discard(std::uint64_t /*step*/) {}
  /// A sentence for the user, once for each finding.
  virtual void on_warning(const std::string&) {}

  /// Where the scene sets limits for measurements: true if no step may be taken past one that
  /// passes them, because it ends the run. False: whole slices are measured at once.
  virtual bool ends_at_rows() const { return true; }

  // Outputs that hooks request.
  virtual void row(const std::string& /*name*/, const HookRow&) {}
  virtual void snapshot() {}
  virtual void picture(const std::string& /*name*/) {}
};

/// The loop of every run, in a folder, a window or a library: steps to the next event, outputs,
/// emission, hooks and repeated edits, in this order. Results depend on the scene and its edits,
/// never on the host or on where it was interrupted.
class RunLoop final : private HookHost {
 public:
  using Target = std::function<std::uint64_t()>;
  using Stop = std::function<bool()>;

  /// All outlive this. `data`: of hooks, from the checkpoint of a resumed run. `energy`: what was
  /// found before it.
  RunLoop(const SceneDescription& scene, Simulation& simulation, Stepper& stepper, RunHost& host,
          const engine::JsonBox& data, EnergyHealth energy);

  /// Runs the hooks of the start. Measure first: they may read energies.
  void start();
  /// Steps to `target()`, which is asked again after each event, since the length of steps may
  /// change; ends early if stop() returns true, or once ended(). Measures at multiples of `every`,
  /// 0: not at all.
  void advance(const Target& target, std::uint64_t every, const Stop& stop);
  /// Calls the hooks of the end, of a healthy or an unhealthy run.
  void end_hooks();
  /// Measures the present state as a measurement of the run.
  Measurement measure();
  /// Adds such a measurement.
  void add(const Measurement& measurement);
  /// Makes the edits of the present step that are to be repeated.
  void make_edits();

  /// True if the run is unhealthy, or a hook has stopped it or failed.
  bool ended() const;
  Health health() const { return health_; }
  /// Id of the first body in error, or -1.
  std::int64_t offender() const { return offender_; }
  /// Why the run is unhealthy and what to do, or why a hook has stopped it; one sentence, or "".
  /// `cause`: a finding that explains it, or "".
  std::string reason(const std::string& cause = "") const;
  /// Continues although it has ended: what was found is no reason any more to end. Hooks that were
  /// due at that step run before the next one.
  void clear();

  /// Call after discarding steps in other ways than by advance(): forgets what was found after
  /// `step`.
  void note_discarded(std::uint64_t step);

  Hooks& hooks() { return hooks_; }
  const Hooks& hooks() const { return hooks_; }
  const EnergyHealth& energy() const { return energy_; }

 private:
  // Requests of hooks.
  void edit(const std::string& path, const engine::ParamValue& value) override;
  void change_bodies(const BodyChange& change) override;
  void row(const std::string& name, const HookRow& row) override { host_.row(name, row); }
  void snapshot() override { host_.snapshot(); }
  void picture(const std::string& name) override { host_.picture(name); }

  void note(const StepReport& report);
  void note_verdict();
  void note_bad_step(Health health, std::int64_t offender);
  void run_hooks();

  const SceneDescription& scene_;
  Simulation& simulation_;
  Stepper& stepper_;
  RunHost& host_;
  Hooks hooks_;
  EnergyHealth energy_;
  Health health_ = Health::good;
  std::int64_t offender_ = -1;
  std::uint64_t bad_step_ = 0;  ///< at which it became unhealthy
  double bad_time_ = 0;
  bool energy_known_ = false, escape_known_ = false;  ///< found and cleared
  bool changed_ = false;                              ///< since the last event
  std::uint64_t hooks_due_ = never;  ///< step whose hooks have not run, because the run had ended
  std::uint64_t branch_ = 0;
};

}  // namespace mote::sim
