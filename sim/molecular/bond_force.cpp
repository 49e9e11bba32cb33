#include "sim/molecular/bond_force.h"

#include <algorithm>
#include <atomic>

#include "engine/algo/reduce.h"
#include "engine/check.h"
#include "engine/exec/parallel.h"
#include "sim/molecular/inverse_mass_formula.h"

namespace mote::sim {
namespace {

using engine::Cpu;
using engine::Host;
using engine::Index;

constexpr Index bodies_per_task = 512;

}  // namespace

BondForce::BondForce(const BondForces& forces, const Domain& domain, const State<Host>& initial)
    : lists_(make_bond_lists(forces, initial.id(), initial.count())),
      domain_(domain),
      count_(initial.count()) {
  for (const BondKind& kind : forces.bond_kinds) {
    double_.bond.push_back(coefficients_of(kind));
    single_.bond.push_back(rounded<float>(double_.bond.back()));
  }
  for (const AngleKind& kind : forces.angle_kinds) {
    double_.angle.push_back(coefficients_of(kind));
    single_.angle.push_back(rounded<float>(double_.angle.back()));
  }
}

std::uint64_t BondForce::bytes(const BondForces& forces) {
  return forces.bonds.size() * (2 * sizeof(BondEntry) + 4 * sizeof(std::int32_t)) +
         forces.angles.size() * 3 * sizeof(AngleEntry);
}

template <class T>
BondView<T> BondForce::view(const Kinds<T>& kinds) const {
  BondView<T> view{static_cast<std::int32_t>(lists_.body.size()),
                   lists_.body.data(),
                   lists_.bond_begin.data(),
                   lists_.angle_begin.data(),
                   lists_.bond.data(),
                   lists_.angle.data(),
                   kinds.bond.data(),
                   kinds.angle.data(),
                   {},
                   {}};
  fill_periods(domain_, view.length, view.inverse);
  return view;
}

template <class Real>
void BondForce::add(const Cpu& exec, const StateView<Real>& s, const Kinds<Real>& kinds,
                    StepReport& report) {
  const BondView<Real> bonds = view(kinds);
  std::atomic<std::int32_t> first = bonds.count;  // first slot with an overstretched bond
  engine::parallel_tasks(
      exec.threads, (bonds.count + bodies_per_task - 1) / bodies_per_task, [&](Index task) {
        const auto begin = static_cast<std::int32_t>(task * bodies_per_task);
        const std::int32_t end =
            std::min(begin + static_cast<std::int32_t>(bodies_per_task), bonds.count);
        for (std::int32_t slot = begin; slot < end; ++slot) {
          const BondSum<Real> sum = bond_sum(bonds, s, slot);
          const std::int32_t i = bonds.body[slot];
          const Real inverse = inverse_mass(s.mass[i]);
          s.ax[i] += inverse * sum.force.x;
          s.ay[i] += inverse * sum.force.y;
          s.az[i] += inverse * sum.force.z;
          if (!sum.overstretched) continue;
          std::int32_t lowest = first;
          while (slot < lowest && !first.compare_exchange_weak(lowest, slot)) {
          }
        }
      });
  report.interactions += lists_.bond.size() + lists_.angle.size();
  if (first == bonds.count) return;
  report.health = report.health | Health::bond_overstretched;
  report.offender = s.id[bonds.body[first]];
}

void BondForce::run(const Cpu& exec, State<Host>& state, StepReport& report) {
  MOTE_EXPECT(state.count() == count_);
  state.visit([&]<class Real>(const StateView<Real>& s) {
    if constexpr (std::is_same_v<Real, float>)
      add(exec, s, single_, report);
    else
      add(exec, s, double_, report);
  });
}

double BondForce::potential_energy(const Cpu& exec, const State<Host>& state) {
  const BondView<double> bonds = view(double_);
  const BondEnergy sum = state.visit([&](const auto& s) {
    return engine::ordered_sum(
        exec.threads, bonds.count, BondEnergy{}, [&](Index begin, Index end) {
          BondEnergy part;
          for (Index slot = begin; slot < end; ++slot)
            part += body_bond_energy(bonds, s, static_cast<std::int32_t>(slot));
          return part;
        });
  });
  virial_ = sum.virial;
  return sum.energy;
}

}  // namespace mote::sim
