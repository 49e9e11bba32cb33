#include "sim/motion/composition.h"

#include "sim/module.h"
#include "sim/motion/scheme.h"

namespace mote::sim {

using engine::Cpu;

Composition::Composition(const Step& stages, bool velocity_dependent)
    : stages_(velocity_dependent ? with_separate_kicks(stages) : stages),
      elapsed_fractions_(elapsed_fractions(stages_)) {}

StepTaken Composition::step(const Cpu& exec, System<Cpu>& system) {
  const ForceSet<Cpu>& forces = system.forces;
  const double dt = system.clock.dt;
  for (std::size_t k = 0; k < stages_.size(); ++k) {
    const double h = stages_[k].fraction * dt;
    const StageTime time = system.at(elapsed_fractions_[k]);
    switch (stages_[k].kind) {
      case StageKind::force:
        forces.evaluate(exec, system.state, time, system.report);
        break;
      case StageKind::kick:
        if (forces.kicking)
          forces.kicking->kick(exec, system.state, h, time);
        else
          kick(exec, system.state, h);
        break;
      case StageKind::drift:
        drift(exec, system.state, h);
        break;
      case StageKind::thermostat:
        if (!forces.heating->exchange_heat(exec, system.state, h, time))
          system.report.health = system.report.health | Health::step_too_long;
        break;
      case StageKind::constrain:
        forces.constraining->constrain(exec, system.state, h, time);
        break;
    }
  }
  return {dt};
}

std::vector<IntegratorInfo> compositions() {
  std::vector<IntegratorInfo> all;
  for (const Scheme& s : schemes()) {
    all.push_back(
        {.name = s.name,
         .help = s.help,
         .order = s.order,
         .stages = s.step,
         .add_options =
             [](engine::ParamTable<Integration>& table) { add_options(table, flow_table()); },
         .make = [](const Integration&,
                    const ForceTraits& forces) -> std::unique_ptr<Integrator<Cpu>> {
           return std::make_unique<Composition>(forces.stages, forces.velocity_dependent);
         }});
    if (s.order > 2)
      all.back().excludes = {{leapfrog_forces, "use leapfrog"},
                             {damped_bonds, "use leapfrog, or remove the damping"}};
  }
  return all;
}

}  // namespace mote::sim
