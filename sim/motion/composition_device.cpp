#include "sim/motion/composition_device.h"

#include <algorithm>

#include "engine/check.h"
#include "sim/motion/motion.h"

namespace mote::sim {
namespace {

using engine::Cuda;

void move(const Cuda& exec, System<Cuda>& system, const Moves& moves) {
  move(exec, system.state, moves, system.device_clock, system.record);
}

/// Moves whose kicks a force performs. What is due at the start and at the end of a step is
/// enqueued as moves of its own: the record must not change under a kernel that reads the time from
/// it.
void move_with_kicks(const Cuda& exec, System<Cuda>& system, const Moves& all) {
  const StageTime time = system.at(all.elapsed_fraction);
  if (all.first) move(exec, system, {.moves = {}, .first = true});
  for (const Moves::Move& m : all.moves)
    if (m.kind == StageKind::kick)
      system.forces.kicking->kick(exec, system.state, m.fraction * system.clock.dt, time);
    else
      move(exec, system, {.moves = {m}, .clears = all.clears});
  if (all.last) move(exec, system, {.moves = {}, .last = true});
}

}  // namespace

DeviceComposition::DeviceComposition(const Step& stages, bool velocity_dependent)
    : moves_(moves_of(velocity_dependent ? with_separate_kicks(stages) : stages)) {}

void DeviceComposition::run_moves(const Cuda& exec, System<Cuda>& system, std::size_t k) const {
  const ForceSet<Cuda>& forces = system.forces;
  const double dt = system.clock.dt;
  const Moves& moves = moves_[k];
  if (forces.kicking)
    move_with_kicks(exec, system, moves);
  else
    move(exec, system, moves);
  if (moves.thermostat != 0)
    forces.heating->exchange_heat(exec, system.state, moves.thermostat * dt,
                                  system.at(moves.elapsed_fraction));
  if (moves.constrain)
    forces.constraining->constrain(exec, system.state, *moves.constrain * dt,
                                   system.at(moves_[k + 1].elapsed_fraction));
  if (moves.clears)
    forces.add(exec, system.state, {system.at(moves_[k + 1].elapsed_fraction)}, system.report);
}

StepTaken DeviceComposition::step(const Cuda& exec, System<Cuda>& system) {
  for (std::size_t k = 0; k < moves_.size(); ++k) run_moves(exec, system, k);
  return {system.clock.dt};
}

bool DeviceComposition::records_length(const System<Cuda>& system) const {
  return system.forces.kicking || system.forces.heating || system.forces.constraining;
}

void DeviceComposition::finish_stalled(const Cuda& exec, System<Cuda>& system) {
  // The only forces of the step are those before its last moves.
  MOTE_EXPECT(!system.forces.kicking && evaluations() == 1);
  std::size_t next = 0;
  while (!moves_[next].clears) ++next;
  ++next;
  clear_accelerations(exec, system.state);
  system.forces.add(exec, system.state, {system.at(moves_[next].elapsed_fraction)}, system.report);
  for (; next < moves_.size(); ++next) run_moves(exec, system, next);
}

int DeviceComposition::evaluations() const {
  return static_cast<int>(
      std::count_if(moves_.begin(), moves_.end(), [](const Moves& moves) { return moves.clears; }));
}

std::unique_ptr<Integrator<Cuda>> make_device_composition(const ForceTraits& forces) {
  return std::make_unique<DeviceComposition>(forces.stages, forces.velocity_dependent);
}

}  // namespace mote::sim
