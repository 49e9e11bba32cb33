#include "sim/molecular/bond_device.h"

#include <type_traits>

#include "engine/algo/reduce.cuh"
#include "engine/exec/launch.cuh"
#include "engine/memory/on_device.h"
#include "sim/molecular/bond_force.h"
#include "sim/molecular/inverse_mass_formula.h"

namespace mote::sim {
namespace {

using engine::Cuda;
using engine::Device;
using engine::Index;
using engine::on_device;
using engine::Values;

constexpr unsigned bond_threads = 128;

template <class Real>
__global__ void __launch_bounds__(bond_threads)
    add_bonds(BondView<Real> bonds, StateView<Real> s, DeviceRecord* record) {
  const auto slot =
      static_cast<std::int32_t>(static_cast<Index>(blockIdx.x) * bond_threads + threadIdx.x);
  if (slot >= bonds.count) return;
  const BondSum<Real> sum = bond_sum(bonds, s, slot);
  const std::int32_t i = bonds.body[slot];
  const Real inverse = inverse_mass(s.mass[i]);
  s.ax[i] += inverse * sum.force.x;
  s.ay[i] += inverse * sum.force.y;
  s.az[i] += inverse * sum.force.z;
  if (!sum.overstretched) return;
  atomicMin(&record->offender[0], static_cast<unsigned>(i));  // halts the next step
  record->overstretched = 1;  // a benign race: all threads write the same value
}

struct BondEnergyTerms {
  BondEnergy* energies;
  __device__ Values<2> operator()(Index slot) const {
    return {{energies[slot].energy, energies[slot].virial}};
  }
  static __device__ double combine(int, double a, double b) { return a + b; }
  static __device__ Values<2> nothing() { return {}; }
};

template <class Real>
__global__ void __launch_bounds__(bond_threads)
    sum_bond_energies(BondView<double> bonds, StateView<Real> s, BondEnergy* energies) {
  const auto slot =
      static_cast<std::int32_t>(static_cast<Index>(blockIdx.x) * bond_threads + threadIdx.x);
  if (slot < bonds.count) energies[slot] = body_bond_energy(bonds, s, slot);
}

unsigned bond_blocks(Index slots) {
  return engine::blocks_for(slots, bond_threads);
}

}  // namespace

struct DeviceBondForce::Buffers {
  engine::Buffer<std::int32_t, Device> body, bond_begin, angle_begin;
  engine::Buffer<BondEntry, Device> bond;
  engine::Buffer<AngleEntry, Device> angle;
  engine::Buffer<BondCoefficients<float>, Device> bond_single;
  engine::Buffer<BondCoefficients<double>, Device> bond_double;
  engine::Buffer<AngleCoefficients<float>, Device> angle_single;
  engine::Buffer<AngleCoefficients<double>, Device> angle_double;
  engine::Buffer<BondEnergy, Device> energies;
  engine::Reduction<2> sum;
  Domain domain;

  template <class T>
  BondView<T> view() const {
    BondView<T> view{static_cast<std::int32_t>(body.size()),
                     body.data(),
                     bond_begin.data(),
                     angle_begin.data(),
                     bond.data(),
                     angle.data(),
                     nullptr,
                     nullptr,
                     {},
                     {}};
    if constexpr (std::is_same_v<T, float>)
      view.bond_kind = bond_single.data(), view.angle_kind = angle_single.data();
    else
      view.bond_kind = bond_double.data(), view.angle_kind = angle_double.data();
    fill_periods(domain, view.length, view.inverse);
    return view;
  }
};

DeviceBondForce::DeviceBondForce(const Cuda& exec, const BondForces& forces, const Domain& domain,
                                 const State<engine::Host>& initial) {
  const BondLists lists = make_bond_lists(forces, initial.id(), initial.count());
  std::vector<BondCoefficients<double>> bond_double;
  std::vector<AngleCoefficients<double>> angle_double;
  std::vector<BondCoefficients<float>> bond_single;
  std::vector<AngleCoefficients<float>> angle_single;
  for (const BondKind& kind : forces.bond_kinds) {
    bond_double.push_back(coefficients_of(kind));
    bond_single.push_back(rounded<float>(bond_double.back()));
  }
  for (const AngleKind& kind : forces.angle_kinds) {
    angle_double.push_back(coefficients_of(kind));
    angle_single.push_back(rounded<float>(angle_double.back()));
  }
  const auto bodies = static_cast<Index>(lists.body.size());
  buffers_.reset(new Buffers{
      on_device(exec, lists.body), on_device(exec, lists.bond_begin),
      on_device(exec, lists.angle_begin), on_device(exec, lists.bond), on_device(exec, lists.angle),
      on_device(exec, bond_single), on_device(exec, bond_double), on_device(exec, angle_single),
      on_device(exec, angle_double), engine::Buffer<BondEnergy, Device>(bodies),
      engine::Reduction<2>(bodies), domain});
}

DeviceBondForce::DeviceBondForce(DeviceBondForce&&) noexcept = default;
DeviceBondForce::~DeviceBondForce() = default;

std::uint64_t DeviceBondForce::device_bytes(const BondForces& forces) {
  return BondForce::bytes(forces) + 2 * forces.bonds.size() * sizeof(BondEnergy) +
         engine::Reduction<2>::bytes(static_cast<Index>(2 * forces.bonds.size()));
}

void DeviceBondForce::run(const Cuda& exec, State<Device>& state, const StageTime& time,
                          StepReport& report) {
  state.visit([&]<class Real>(const StateView<Real>& s) {
    const BondView<Real> bonds = buffers_->view<Real>();
    engine::launch(exec, {bond_blocks(bonds.count), bond_threads}, add_bonds<Real>, bonds, s,
                   time.record);
  });
  report.interactions += static_cast<std::uint64_t>(buffers_->bond.size() + buffers_->angle.size());
}

double DeviceBondForce::potential_energy(const Cuda& exec, const State<Device>& state,
                                         const StageTime&) {
  virial_ = 0;
  const BondView<double> bonds = buffers_->view<double>();
  if (bonds.count == 0) return 0;
  state.visit([&]<class Const>(const StateView<Const>& s) {
    engine::launch(exec, {bond_blocks(bonds.count), bond_threads}, sum_bond_energies<Const>, bonds,
                   s, buffers_->energies.data());
  });
  const Values<2> sum =
      buffers_->sum.run(exec, BondEnergyTerms{buffers_->energies.data()}, bonds.count);
  virial_ = sum.v[1];
  return sum.v[0];
}

}  // namespace mote::sim
