#pragma once

#include <utility>

#include "sim/force.h"
#include "sim/motion/motion.h"

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
    clear_accelerations(exec, state);
    for (const auto& force : all) force->run(exec, state, time, report);
  }

  Forces<Exec> all;
  Force<Exec>*kicking = nullptr, *constraining = nullptr, *heating = nullptr, *stateful = nullptr,
  *ordering = nullptr;
};

}  // namespace mote::sim
