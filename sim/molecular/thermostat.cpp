#include "sim/molecular/thermostat.h"

#include <cstring>

#include "engine/algo/reduce.h"
#include "engine/check.h"
#include "engine/exec/parallel.h"

namespace mote::sim {

using engine::Cpu;
using engine::Host;
using engine::Index;
using engine::Vec3d;

const engine::ParamTable<Thermostat>& thermostat_table() {
  static const engine::ParamTable<Thermostat> table{
      "thermostat",
      "Controls the temperature of all bodies, with the leapfrog integrator. Leave the table out "
      "for constant energy.",
      {engine::param(
           &Thermostat::name,
           {.name = "name",
            .help = "langevin: friction and noise; nose_hoover: a chain of three oscillators",
            .positional = true,
            .choices = {"langevin", "nose_hoover"}}),
       engine::param(&Thermostat::temperature, {.name = "temperature",
                                                .help = "k T, an energy; with units also in K",
                                                .unit = "energy",
                                                .minimum = 0,
                                                .minimum_excluded = true,
                                                .required = true,
                                                .live = true}),
       engine::param(&Thermostat::friction, {.name = "friction",
                                             .help = "of langevin: decay rate of velocities",
                                             .unit = "rate",
                                             .minimum = 0,
                                             .minimum_excluded = true,
                                             .live = true}),
       engine::param(&Thermostat::time, {.name = "time",
                                         .help = "of nose_hoover: time scale of the chain",
                                         .unit = "time",
                                         .minimum = 0,
                                         .minimum_excluded = true})}};
  return table;
}

Step step_with(const Thermostat& thermostat, const Step& leapfrog) {
  Step step;
  if (thermostat.name == "nose_hoover") {
    step.push_back({StageKind::thermostat, 0.5});
    step.insert(step.end(), leapfrog.begin(), leapfrog.end());
    step.push_back({StageKind::thermostat, 0.5});
    return step;
  }
  for (const Stage& stage : leapfrog) {
    if (stage.kind != StageKind::drift) {
      step.push_back(stage);
      continue;
    }
    step.push_back({StageKind::drift, 0.5 * stage.fraction});
    step.push_back({StageKind::thermostat, stage.fraction});
    step.push_back({StageKind::drift, 0.5 * stage.fraction});
  }
  return step;
}

bool needs_chain(const Thermostat& thermostat) {
  return thermostat.name == "nose_hoover";
}

bool is_turning(const State<Host>& state) {
  return state.visit([&]<class Real>(const StateView<const Real>& s) {
    KineticSums sums;
    Vec3d middle{0, 0, 0}, turning{0, 0, 0};
    for (Index i = 0; i < s.count; ++i) {
      const double mass = s.mass[i];
      const Vec3d v{s.vx[i], s.vy[i], s.vz[i]};
      sums += {0.5 * mass * dot(v, v), mass, mass * v};
      middle += mass * Vec3d{s.x[i], s.y[i], s.z[i]};
    }
    if (!(sums.mass > 0)) return false;
    middle = (1 / sums.mass) * middle;
    double inertia = 0;
    for (Index i = 0; i < s.count; ++i) {
      const Vec3d from = Vec3d{s.x[i], s.y[i], s.z[i]} - middle,
                  v = Vec3d{s.vx[i], s.vy[i], s.vz[i]} - sums.centre_velocity();
      const double mass = s.mass[i];
      turning += mass * cross(from, v), inertia += mass * dot(from, from);
    }
    return turns(turning, sums.thermal(), inertia);
  });
}

NoseHoover nose_hoover(const Thermostat& thermostat, Index count, Conserved conserved) {
  return {thermostat.temperature, thermostat.time,
          degrees_of_freedom(static_cast<double>(count), conserved)};
}

bool ThermostatStage::exchange_heat(const Cpu& exec, State<Host>& state, double h,
                                    const StageTime& time) {
  return state.visit([&]<class Real>(const StateView<Real>& s) {
    const auto each = [&](auto change) {
      engine::parallel_chunks(exec.threads, s.count, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
          const Vec3d v = change(i, Vec3d{s.vx[i], s.vy[i], s.vz[i]});
          s.vx[i] = static_cast<Real>(v.x), s.vy[i] = static_cast<Real>(v.y),
          s.vz[i] = static_cast<Real>(v.z);
        }
      });
    };
    if (thermostat_.name != "nose_hoover") {
      const LangevinStep step = langevin_step(thermostat_.temperature, thermostat_.friction, h);
      const auto number = static_cast<std::uint64_t>(time.clock->first + time.clock->steps);
      each([&](Index i, Vec3d v) {
        return step(v, s.mass[i], normal_numbers(seed_, number, s.id[i]));
      });
      return true;
    }
    const KineticSums sums =
        engine::ordered_sum(exec.threads, s.count, KineticSums{}, [&](Index begin, Index end) {
          KineticSums sum;
          for (Index i = begin; i < end; ++i) {
            const Vec3d v{s.vx[i], s.vy[i], s.vz[i]};
            const double mass = s.mass[i];
            sum += {0.5 * mass * dot(v, v), mass, mass * v};
          }
          return sum;
        });
    const bool momentum = conserved_ != Conserved::nothing;
    const Vec3d centre_velocity = momentum ? sums.centre_velocity() : Vec3d{};
    NoseHooverChain chain;
    static_assert(sizeof chain == nose_hoover_globals.count * sizeof(double));
    std::memcpy(&chain, state.globals(nose_hoover_globals), sizeof chain);
    const double scale = nose_hoover(thermostat_, s.count, conserved_)
                             .advance(chain, momentum ? sums.thermal() : sums.kinetic, h);
    if (scale == 0) return false;
    std::memcpy(state.globals(nose_hoover_globals), &chain, sizeof chain);
    each([&](Index, Vec3d v) { return centre_velocity + scale * (v - centre_velocity); });
    return true;
  });
}

double ThermostatStage::bath_energy(const Cpu&, const State<Host>& state) const {
  if (thermostat_.name != "nose_hoover") return 0;
  NoseHooverChain chain;
  std::memcpy(&chain, state.globals(nose_hoover_globals), sizeof chain);
  return nose_hoover(thermostat_, state.count(), conserved_).energy(chain);
}

}  // namespace mote::sim
