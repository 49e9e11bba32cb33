#pragma once

#include <cstdint>
#include <string>

#include "engine/exec/policy.h"
#include "engine/params.h"
#include "sim/molecular/thermostat_formula.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// How a scene keeps its temperature.
struct Thermostat {
  std::string name = "langevin";  ///< langevin or nose_hoover
  double temperature = 0;         ///< k T [energy] > 0
  double friction = 1;            ///< [1 / time] > 0, of langevin
  double time = 1;                ///< [time] > 0, of nose_hoover: that of its own oscillation
};

const engine::ParamTable<Thermostat>& thermostat_table();

/// The leapfrog step with this thermostat in it: Langevin's in the middle of the drift (BAOAB), the
/// chain of Nose and Hoover over half a step at either end.
Step step_with(const Thermostat& thermostat, const Step& leapfrog);

/// Whether it leaves the total momentum alone: noise does not.
inline bool keeps_momentum(const Thermostat& thermostat) {
  return thermostat.name == "nose_hoover";
}

/// Numbers that it remembers in the memory of a state.
int memory_of(const Thermostat& thermostat);

/// A thermostat on the CPU. Bitwise repeatable for any number of threads.
class ThermostatStage {
 public:
  /// `seed`: of the scene; `momentum_kept`: by all that acts on bodies, so that the chain leaves
  /// the centre of mass alone.
  ThermostatStage(const Thermostat& thermostat, std::uint64_t seed, bool momentum_kept)
      : thermostat_(thermostat), seed_(seed), momentum_kept_(momentum_kept) {}

  /// Changes velocities over a time h. False, and nothing changed, where the chain is too fast for
  /// that.
  [[nodiscard]] bool apply(const engine::Cpu& exec, State<engine::Host>& state, double h,
                           const StageTime& time);
  /// What it has of the conserved energy; 0 for Langevin's, which conserves none.
  double energy(const State<engine::Host>& state) const;

 private:
  Thermostat thermostat_;
  std::uint64_t seed_;
  bool momentum_kept_;
};

NoseHoover nose_hoover(const Thermostat& thermostat, engine::Index count, bool momentum_kept);

}  // namespace mote::sim
