#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sim/run/edits.h"
#include "sim/run/kept_states.h"
#include "sim/run/simulation.h"

namespace mote::sim {

/// The past of a simulation: states kept within a budget of memory, and the edits between steps.
/// Any step that was reached can be reached again, exactly: from the nearest state kept before it,
/// by stepping, with the same edits. All stepping and editing goes through this. Same bits as
/// without it.
///
/// Stepping is interrupted where a state is kept. On a GPU a slice of steps and a copy cost some
/// tens of microseconds, many steps of a few bodies; so small systems are kept at larger distances,
/// by a rule of the scene, the number of bodies and the backend alone: 2^30 interactions between
/// states, 2^26 on a CPU where there is no gravity, and no more than 1,024 steps. Bodies without
/// gravity count as meeting 64 others. By estimate, not measured, that is some milliseconds on a
/// GPU, of which keeping takes a few percent, and at most some tenths of a second on a CPU, which
/// is what a search then waits for.
class History {
 public:
  /// `budget`: bytes of states; the first state is always kept. The simulation outlives this and
  /// stands at its start: at step 0, or, when it was resumed, at a later step with `past` edits
  /// behind it. Energy errors are relative to the energy at this start unless they have a reference
  /// already: the state is measured here. `interval`: steps between states at least; 0: chosen by
  /// the rule above.
  History(Simulation& simulation, std::uint64_t budget, std::vector<Edit> past = {},
          std::uint64_t interval = 0);

  /// Takes steps as Simulation::advance_measured does (`every` 0: none measured), keeping states on
  /// the way. Where the simulation was taken back and edits lie ahead, the past that was is given
  /// up: a new branch begins. An unhealthy step ends it and counts; there is no state kept behind
  /// one.
  StepReport advance(std::uint64_t steps, std::uint64_t every, const std::function<bool()>& stop,
                     const std::function<void(const Measurement&)>& use);

  /// Changes a live parameter now. Gives up what lay ahead. An edit of the same path at the same
  /// step is replaced as long as the state from before it is kept (the budget holds two states and
  /// it was made last); otherwise both stay. Throws InputError when it cannot be; all is as before
  /// then.
  void edit(const std::string& path, const engine::ParamValue& value);

  /// Bodies come and go now (Simulation::change_bodies), and do so again where the past is stepped
  /// through. Gives up what lay ahead. Throws InputError when it cannot be; all is as before then.
  void change_bodies(const BodyChange& change);

  /// Goes to a step from first() to last(), with the edits of this step in it; true when it is
  /// there, false when `stop` said so on the way (the simulation then stands somewhere between, and
  /// may be told to go on). Health is not reported: it was when the steps were taken first.
  bool seek(std::uint64_t step, const std::function<bool()>& stop);

  std::uint64_t first() const { return first_; }  ///< the step at which this began
  std::uint64_t last() const {
    return last_;
  }  ///< the furthest step that was reached on this branch
  std::vector<std::uint64_t> kept_steps() const { return kept_.steps(); }  ///< in order
  /// In order, those ahead included, and changes of bodies among them.
  const std::vector<Edit>& edits() const { return edits_; }
  /// Those that the present state has in it: what a record or a checkpoint of it needs.
  std::span<const Edit> edits_so_far() const { return {edits_.data(), applied_}; }
  std::uint64_t bytes() const { return kept_.bytes(); }  ///< of kept states
  std::uint64_t budget() const { return budget_; }
  /// Goes up whenever what lay ahead was given up; rows of measurements behind simulation.step()
  /// are void then.
  std::uint64_t branch() const { return branch_; }

 private:
  using Stop = std::function<bool()>;
  using Use = std::function<void(const Measurement&)>;

  StepReport step_to(std::uint64_t step, std::uint64_t every, const Stop& stop, const Use& use);
  KeptStates::Make make_state();
  void restore(const KeptStates::Entry& entry);
  void apply(const Edit& edit);
  void apply_due();
  bool replace(const Edit& edit);
  void give_up_ahead();
  std::uint64_t next_halt(std::uint64_t target) const;

  Simulation& simulation_;
  std::uint64_t budget_, first_, last_, branch_ = 0;
  std::vector<Edit> edits_;
  std::size_t applied_;  ///< edits that the simulation has in it: all up to its step; the others
                         ///< lie ahead
  KeptStates kept_;  ///< each as it was before the edits of its own step, unless it is the first
};

}  // namespace mote::sim
