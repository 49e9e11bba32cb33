#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sim/history/edits.h"
#include "sim/history/saved_states.h"
#include "sim/history/stepper.h"
#include "sim/run/simulation.h"

namespace mote::sim {

/// The past of a simulation: states saved within a memory budget, and the edits between steps. Any
/// step reached before can be reached again exactly, by stepping from the nearest earlier state
/// with the same edits. All stepping and editing goes through this; results are bitwise the same
/// as without it.
///
/// Saving interrupts stepping. On a GPU the interruption and the copy cost some tens of
/// microseconds, as much as many steps of a few bodies, so states of small systems are further
/// apart. The interval depends on the scene, the number of bodies and the backend alone: 2^30
/// interactions, 2^26 on a CPU without gravity, and at most 1,024 steps. Without gravity 64
/// neighbours a body are assumed. By estimate, not measurement, that is some milliseconds on a GPU,
/// of which saving takes a few percent, and at most some tenths of a second on a CPU, the longest
/// wait for a seek.
class History final : public Stepper {
 public:
  /// `budget`: bytes of states; the first state is always saved. The simulation outlives this and
  /// is at step 0 or, if resumed, at a later step with `past` edits applied. Measures the state
  /// unless energy errors have a reference already. `interval`: minimum number of steps between
  /// states; 0: chosen by the rule above.
  History(Simulation& simulation, std::uint64_t budget, std::vector<Edit> past = {},
          std::uint64_t interval = 0);

  /// Steps as Simulation::advance_measured does (`every` 0: no measurements) and saves states.
  /// After a rewind past edits, discards the steps ahead and starts a new branch. An unhealthy step
  /// counts and ends the call; no state is saved after it.
  StepReport advance(std::uint64_t steps, std::uint64_t every, const std::function<bool()>& stop,
                     const std::function<void(const Measurement&)>& use) override;

  /// Changes a live parameter at the present step and discards the steps ahead. Replaces an edit of
  /// the same path at the same step if the state before it is still saved (the budget holds two
  /// states and that edit was the last); otherwise both stay. Throws InputError for an invalid
  /// change, and leaves everything unchanged.
  void edit(const std::string& path, const engine::ParamValue& value) override;

  /// Adds and removes bodies at the present step (Simulation::change_bodies); repeated whenever
  /// seek() steps past it. Discards the steps ahead. Throws InputError for an invalid change, and
  /// leaves everything unchanged.
  void change_bodies(const BodyChange& change) override { add_change(change, true); }
  /// Changes bodies on request from outside: the change is among the recorded edits.
  void edit_bodies(const BodyChange& change) { add_change(change, false); }

  /// Sets several parameters at the present step, with one evaluation of the forces. They must not
  /// change the potential energy. Earlier edits of the same paths at this step are replaced, but
  /// not the first `kept` of all.
  void edit_together(const LiveEdits& changes, std::size_t kept = 0);

  /// Returns to the step of the edit number `edit`, as if it and those after it had not been made,
  /// and discards the steps ahead. `edit`: at least edits_at_start(), less than edits().size().
  void undo(std::size_t edit);
  /// The edits that the simulation began with.
  std::size_t edits_at_start() const { return edits_at_start_; }

  /// Goes to a step from first() to last(), including the edits at that step. Returns false if
  /// `stop` interrupted it; the simulation is then at some step in between, and the seek can be
  /// repeated. Health is not reported: it was when the steps were taken first.
  bool seek(std::uint64_t step, const std::function<bool()>& stop);

  /// The step at construction.
  std::uint64_t first() const { return first_; }
  /// The furthest step reached on this branch.
  std::uint64_t last() const { return last_; }
  /// Steps of the saved states, in order.
  std::vector<std::uint64_t> saved_steps() const { return saved_.steps(); }
  /// All edits in order, those ahead and changes of bodies included.
  const std::vector<Edit>& edits() const { return edits_; }
  /// Edits applied to the present state, as run.json and checkpoints need them.
  std::span<const Edit> edits_so_far() const override { return {edits_.data(), applied_}; }
  /// Size of the saved states.
  std::uint64_t bytes() const { return saved_.bytes(); }
  std::uint64_t budget() const { return budget_; }
  /// Incremented whenever steps ahead were discarded; measurements after simulation.step() are
  /// invalid then.
  std::uint64_t branch() const override { return branch_; }
  /// Edits ahead are discarded by the next step.
  std::uint64_t first_new() const override {
    return applied_ < edits_.size() ? simulation_.step() : last_;
  }

 private:
  using Stop = std::function<bool()>;
  using Use = std::function<void(const Measurement&)>;

  StepReport step_to(std::uint64_t step, std::uint64_t every, const Stop& stop, const Use& use);
  SavedStates::Make make_state();
  void restore(const SavedStates::Entry& entry);
  void apply(const Edit& edit);
  void apply_due();
  bool replace(const Edit& edit);
  void add_change(const BodyChange& change, bool by_scene);
  void discard_ahead();
  std::uint64_t next_pause(std::uint64_t target) const;

  Simulation& simulation_;
  std::uint64_t budget_, first_, last_, branch_ = 0;
  std::vector<Edit> edits_;
  std::size_t edits_at_start_;
  std::size_t applied_;  ///< number of edits applied: those up to the present step
  SavedStates saved_;    ///< each before the edits of its own step, except the first
};

}  // namespace mote::sim
