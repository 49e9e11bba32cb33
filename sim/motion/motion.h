#pragma once

#include "engine/exec/policy.h"
#include "sim/force_request.h"
#include "sim/motion/move_list.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// velocities += h accelerations; fields that have a rate, by that (FieldInfo::rate_of). `h` in
/// units of time.
void kick(const engine::Cpu& exec, State<engine::Host>& state, double h);

/// positions += h velocities, and those of FieldInfo::drifts_along.
void drift(const engine::Cpu& exec, State<engine::Host>& state, double h);

/// Clears accelerations and what else forces sum (FieldInfo::summed).
void clear_accelerations(const engine::Cpu& exec, State<engine::Host>& state);

/// Kicks and drifts of `moves` in a step of the clock's dt, without thermostat and constraints. No
/// effect while the record is halted or stalled. Asynchronous. `clock` and `record`: on the device.
void move(const engine::Cuda& exec, State<engine::Device>& state, const Moves& moves,
          const StepClock* clock, DeviceRecord* record);

void clear_accelerations(const engine::Cuda& exec, State<engine::Device>& state);

/// Clears accelerations and jerks that a request asks for.
void clear_chosen(const engine::Cpu& exec, State<engine::Host>& state, const ForceRequest& request);
void clear_chosen(const engine::Cuda& exec, State<engine::Device>& state,
                  const ForceRequest& request);

}  // namespace mote::sim
