#pragma once

#include "engine/exec/policy.h"
#include "sim/state.h"

namespace mote::sim {

/// velocities += h accelerations. `h` in units of time.
void kick(const engine::Cpu& exec, State<engine::Host>& state, double h);

/// positions += h velocities.
void drift(const engine::Cpu& exec, State<engine::Host>& state, double h);

/// accelerations = 0, before the forces add theirs.
void clear_accelerations(const engine::Cpu& exec, State<engine::Host>& state);

}  // namespace mote::sim
