#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/exec/policy.h"
#include "engine/memory/buffer.h"
#include "sim/clock.h"
#include "sim/motion/block_steps.h"
#include "sim/motion/force_set.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// A simulation as its integrator sees it, for one step.
template <class Exec>
struct System {
  State<typename Exec::Space>& state;
  const ForceSet<Exec>& forces;
  StepClock clock;  ///< clock of the steps ahead; dt: the proposed length, or the limit
  StepReport& report;
  // On a GPU, in its memory, where kernels read them; null on the CPU.
  const StepClock* device_clock = nullptr;  ///< may be ahead of `clock` by the record's steps
  DeviceRecord* record = nullptr;

  /// At a fraction of this step; 1 is its end.
  StageTime at(double fraction) const {
    return {device_clock ? device_clock : &clock, record, fraction};
  }
};

/// Numbers, and columns of equal sizes, that an integrator keeps from step to step. Numbers are the
/// same on all ranks; columns are of own bodies, with one number for each or several, component
/// after component.
template <class Space>
struct Kept {
  std::vector<double*> numbers = {};
  std::vector<engine::Buffer<double, Space>*> columns = {};
};
std::string kept_bytes(const engine::Cpu&, const Kept<engine::Host>&);
std::string kept_bytes(const engine::Cuda&, const Kept<engine::Device>&);
/// `bytes`: from kept_bytes() on any backend; none: nothing is kept yet.
void restore_kept(const engine::Cpu&, const Kept<engine::Host>&, std::string_view bytes);
void restore_kept(const engine::Cuda&, const Kept<engine::Device>&, std::string_view bytes);

/// The result of a step.
struct StepTaken {
  double dt = 0;    ///< its length [time]
  double next = 0;  ///< proposed length of the next [time]; 0: always that of the scene
};

/// Advances positions and velocities in time. Stateful: one integrator for one simulation. Results
/// are bitwise repeatable.
///
/// Before and after each step, accelerations belong to the positions and the time. An integrator
/// that chooses its steps leaves the last evaluation to the simulation, which then has the time.
template <class Exec>
class Integrator {
 public:
  using Space = typename Exec::Space;
  virtual ~Integrator() = default;

  /// Takes one step, at most as long as system.clock.dt (or another, after restart()). Reports
  /// errors in system.report. On a GPU, one with stages enqueues it and does not wait, so that
  /// steps can be recorded and replayed.
  virtual StepTaken step(const Exec& exec, System<Exec>& system) = 0;

  /// Evaluates the accelerations between steps; must be bitwise what a step would find.
  virtual void evaluate(const Exec& exec, System<Exec>& system) {
    system.forces.evaluate(exec, system.state, system.at(0), system.report);
  }

  /// True if a step leaves accelerations at its end in the state, and write_within() those of its
  /// time, although the integrator chooses its steps.
  virtual bool leaves_accelerations() const { return false; }

  /// True if a step sets Health::not_finite in its report when a body is not finite: the simulation
  /// then need not check all bodies after each step.
  virtual bool reports_not_finite() const { return false; }

  /// Length of the first step [time], at most `limit` (0: none), for integrators that choose their
  /// steps. After the first evaluation, and when bodies or settings have changed.
  virtual double first_step(const Exec&, const State<Space>&, double limit) { return limit; }

  /// Forces or their parameters, or the limit of the step have changed between steps. True if the
  /// integrator restarts from the state at the next step: an evaluation and first_step() follow.
  virtual bool restart() { return false; }

  /// Steps of the bodies that have their own.
  virtual std::optional<BlockSteps> block_steps(const Exec&) { return {}; }

  /// Declares the numbers and columns that it keeps from step to step beside the state: a run needs
  /// them to continue, so they are saved and restored. At first all are zero, and columns empty.
  virtual Kept<Space> kept() { return {}; }
  /// Writes these as bytes, empty if nothing is kept. Bodies are in the order of the state.
  std::string serialize(const Exec& exec) { return kept_bytes(exec, kept()); }
  void deserialize(const Exec& exec, std::string_view bytes) {
    restore_kept(exec, kept(), bytes);
    on_restored();
  }
  /// Called after a restore has replaced what kept() declares.
  virtual void on_restored() {}

  // On a GPU, for integrators with stages.

  /// True if steps must be recorded again when their length changes.
  virtual bool records_length(const System<Exec>&) const { return true; }
  /// Completes a step during which a force found its buffers too small; they have grown since.
  virtual void finish_stalled(const Exec&, System<Exec>&) {}
  /// Evaluations of the forces in each step.
  virtual int evaluations() const { return 1; }

  /// True if write_within() can write the state at times within the last step.
  virtual bool has_dense_output() const { return false; }
  /// Positions and velocities at a time before the end of the last step, 0 to its length, to the
  /// order of the integrator. False, without any change, if there is no such step.
  virtual bool write_within(const Exec&, double /*before_end*/, State<Space>& /*to*/) {
    return false;
  }
};

}  // namespace mote::sim
