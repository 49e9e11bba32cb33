#pragma once

#include <utility>

#include "sim/force.h"
#include "sim/motion/motion.h"
#include "sim/ranks/copies.h"

namespace mote::sim {

/// The forces of a simulation, and those of them that do more than to accelerate: each is the only
/// one of its kind, or null.
template <class Exec>
struct ForceSet {
  ForceSet() = default;
  explicit ForceSet(Forces<Exec> forces)
      : all(std::move(forces)),
        kicking(kicking_force(all)),
        constraining(constraining_force(all)),
        heating(heating_force(all)),
        stateful(stateful_force(all)),
        ordering(ordering_force(all)) {}

  /// Sums the accelerations of the state, at this time.
  void evaluate(const Exec& exec, State<typename Exec::Space>& state, const StageTime& time,
                StepReport& report) const {
    evaluate(exec, state, ForceRequest{time}, report);
  }
  /// Evaluates what the request asks for. Does not wait for the device, but with ranks of other
  /// processes.
  void evaluate(const Exec& exec, State<typename Exec::Space>& state, const ForceRequest& request,
                StepReport& report) const {
    if (request.targets.all()) clear_accelerations(exec, state);
    if (!request.plain()) clear_chosen(exec, state, request);
    add(exec, state, request, report);
  }
  /// Adds to the sums, which have been cleared, what the request asks for. With ranks, receives
  /// what forces need of copies first.
  void add(const Exec& exec, State<typename Exec::Space>& state, const ForceRequest& request,
           StepReport& report) const {
    const auto needed = division ? copies_needed(all) : CopiesNeeded::none;
    if (needed != CopiesNeeded::none)
      receive_positions(exec, state, *division,
                        request.with_jerks() || needed == CopiesNeeded::velocities);
    for (const auto& force : all) force->run(exec, state, request, report);
  }

  Forces<Exec> all;
  Force<Exec>*kicking = nullptr, *constraining = nullptr, *heating = nullptr, *stateful = nullptr,
  *ordering = nullptr;
  /// Where the bodies are, if they are divided between ranks; else null.
  const Division* division = nullptr;
};

}  // namespace mote::sim
