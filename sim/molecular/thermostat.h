#pragma once

#include <cstdint>
#include <string>

#include "engine/exec/policy.h"
#include "engine/params.h"
#include "sim/molecular/thermostat_formula.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// Scene parameters of the thermostat.
struct Thermostat {
  std::string name = "langevin";  ///< langevin or nose_hoover
  double temperature = 0;         ///< k T [energy] > 0
  double friction = 1;            ///< [1 / time] > 0, for langevin
  double time = 1;                ///< [time] > 0, for nose_hoover: time scale of the chain
};

const engine::ParamTable<Thermostat>& thermostat_table();

/// The leapfrog step with this thermostat: Langevin in the middle of the drift (BAOAB), the
/// Nose-Hoover chain over half a step at either end.
Step step_with(const Thermostat& thermostat, const Step& leapfrog);

/// True if it conserves the total momentum; noise does not.
inline bool conserves_momentum(const Thermostat& thermostat) {
  return thermostat.name == "nose_hoover";
}

/// The state of the chain.
inline constexpr GlobalInfo nose_hoover_globals{"NoseHooverChain", 2 * NoseHooverChain::links};
/// True if the state must have it.
bool needs_chain(const Thermostat& thermostat);

/// A thermostat on the CPU. Bitwise repeatable for any number of threads.
class ThermostatStage {
 public:
  /// Keeps no slots of bodies (Force::follows_order).
  static constexpr bool follows_order = true;

  /// `seed`: of the scene; `conserved`: by all forces. The chain leaves a conserved velocity of the
  /// centre of mass alone.
  ThermostatStage(const Thermostat& thermostat, std::uint64_t seed, Conserved conserved)
      : thermostat_(thermostat), seed_(seed), conserved_(conserved) {}

  void change(const Thermostat& thermostat) { thermostat_ = thermostat; }
  /// Applies the thermostat over a time h. False, without any change, if the chain is too fast for
  /// that.
  [[nodiscard]] bool exchange_heat(const engine::Cpu& exec, State<engine::Host>& state, double h,
                                   const StageTime& time);
  /// Its contribution to the conserved energy [energy]; 0 for Langevin, which conserves none.
  double bath_energy(const engine::Cpu& exec, const State<engine::Host>& state) const;

 private:
  Thermostat thermostat_;
  std::uint64_t seed_;
  Conserved conserved_;
};

/// Whether bodies have an angular momentum about their centre of mass.
bool is_turning(const State<engine::Host>& state);

NoseHoover nose_hoover(const Thermostat& thermostat, engine::Index count, Conserved conserved);

}  // namespace mote::sim
