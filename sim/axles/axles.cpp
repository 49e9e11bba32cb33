#include "sim/axles/axles.h"

#include <algorithm>

namespace mote::sim {

std::vector<AxleFormula> axles_by_solid(const std::vector<std::string>& solids,
                                        const std::vector<Axle>& axles) {
  std::vector<AxleFormula> all;
  for (const std::string& name : solids) {
    const auto found =
        std::find_if(axles.begin(), axles.end(), [&](const Axle& a) { return a.name == name; });
    all.push_back(found == axles.end() ? AxleFormula{} : formula_of(*found));
  }
  return all;
}

double energy_of_wheels(const std::vector<AxleFormula>& axles, const SolidState* solids) {
  double sum = 0;
  for (std::size_t k = 0; k < axles.size(); ++k) {
    if (!(axles[k].inertia > 0)) continue;
    const double speed = axles[k].speed_at(solids[k]);
    sum += 0.5 * axles[k].inertia * speed * speed;
  }
  return sum;
}

void AxlesForce::run(const engine::Cpu&, State<engine::Host>& state, const StageTime& time,
                     StepReport&) {
  SolidState* const solids = solids_of(state);
  for (std::size_t k = 0; k < axles_.size(); ++k) advance(solids[k], axles_[k], time_of(time));
}

double AxlesForce::potential_energy(const engine::Cpu&, const State<engine::Host>& state) const {
  return energy_of_wheels(axles_, solids_of(state));
}

}  // namespace mote::sim
