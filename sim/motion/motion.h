#pragma once

#include <vector>

#include "engine/exec/policy.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// velocities += h accelerations, and densities and spins by their rates, where there are some. `h`
/// in units of time.
void kick(const engine::Cpu& exec, State<engine::Host>& state, double h);

/// positions += h velocities, and h shifts, where there are some.
void drift(const engine::Cpu& exec, State<engine::Host>& state, double h);

/// accelerations = 0, and rates of spins, before the forces add theirs.
void clear_accelerations(const engine::Cpu& exec, State<engine::Host>& state);

/// Consecutive kicks and drifts of a step, done by a GPU in one kernel, with what falls due beside
/// them.
struct Moves {
  struct Move {
    StageKind kind;
    double h;  ///< [time]
  };
  std::vector<Move> moves;
  double thermostat = 0;  ///< [time] over which the thermostat changes velocities behind them; 0:
                          ///< it does not
  double constrain = 0;   ///< [time] of the drift behind which constraints are met, behind them; 0:
                          ///< there are none
  double passed = 0;      ///< of the step, for the positions before these moves
  bool first = false;     ///< of a step: looks whether the step before left all bodies finite, and
                          ///< halts if not
  bool clears = false;    ///< a force follows: accelerations = 0
  bool last = false;      ///< of a step: counts it, and notes who is no longer finite
};

/// The stages of a step as moves, with a force between each two.
std::vector<Moves> moves_of(const Step& step, double dt);

/// Does nothing once the record is halted. Does not wait.
void move(const engine::Cuda& exec, State<engine::Device>& state, const Moves& moves,
          DeviceRecord* record);

void clear_accelerations(const engine::Cuda& exec, State<engine::Device>& state);

}  // namespace mote::sim
