#include "sim/molecular/charge_expansions.h"

#include <cmath>
#include <vector>

#include "engine/check.h"
#include "engine/rounded_text.h"

namespace mote::sim {

using engine::Cpu;
using engine::Cuda;
using engine::Host;
using engine::Index;
using engine::Precision;

MultipoleSettings ChargeExpansions::settings(Precision precision, const std::string& key) const {
  // On a GPU too: for charges its field scale is no lower bound.
  MultipoleSettings settings = multipole_settings(accuracy_, 0, 0, engine::Backend::cpu);
  settings.in_single = sums_in_single(key, accuracy_, precision);
  return settings;
}

double ChargeExpansions::sum(const State<Host>& state) const {
  // Counted, so that many equal charges have no round-off.
  std::vector<Index> counts(charges_.of_species.size());
  for (Index i = 0; i < state.count(); ++i)
    if (const std::size_t k = state.species() ? state.species()[i] : 0; k < counts.size())
      ++counts[k];
  double sum = 0, size = 0;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const double charge = static_cast<double>(counts[k]) * charges_.of_species[k];
    sum += charge, size += std::fabs(charge);
  }
  constexpr double round_off = 1e-9;
  return std::fabs(sum) > round_off * size ? sum : 0;
}

void ChargeExpansions::check(const State<Host>& state, const std::string& location) const {
  if (!sums_images(domain_)) return;
  if (const double excess = sum(state); excess != 0)
    throw engine::InputError(
        location,
        "the charges of all bodies in the periodic domain sum to " + engine::rounded_text(excess),
        "add ions of the other sign, or use walls or open axes");
}

void ChargeExpansions::add_forces(const Cpu&, const State<Host>& initial,
                                  Forces<Cpu>& forces) const {
  check(initial, "");
  add_force<Cpu, MultipoleSolver>(
      forces, MultipoleSolver(settings(initial.precision()), charges_, images()));
}

std::uint64_t ChargeExpansions::host_bytes(Index count, Precision precision) const {
  return MultipoleSolver::scratch_bytes(count, settings(precision));
}

}  // namespace mote::sim
