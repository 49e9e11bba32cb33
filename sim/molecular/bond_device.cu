#include "sim/molecular/bond_device.h"

#include <type_traits>

#include "engine/algo/reduce.cuh"
#include "engine/exec/launch.cuh"
#include "engine/memory/on_device.h"
#include "sim/molecular/bond_force.h"
#include "sim/molecular/mass_formula.h"

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
  const auto at =
      static_cast<std::int32_t>(static_cast<Index>(blockIdx.x) * bond_threads + threadIdx.x);
  if (at >= bonds.count) return;
  const BondSum<Real> sum = bond_sum(bonds, s, at);
  const std::int32_t i = bonds.body[at];
  const Real inverse = inverse_mass(s.mass[i]);
  s.ax[i] += inverse * sum.force.x;
  s.ay[i] += inverse * sum.force.y;
  s.az[i] += inverse * sum.force.z;
  if (!sum.overstretched) return;
  atomicMin(&record->offender[0], static_cast<unsigned>(i));  // the next step sees it and halts
  record->overstretched = 1;                                  // by whoever comes: the same word
}

struct BondShareTerms {
  BondShare* shares;
  __device__ Values<2> operator()(Index at) const {
    return {{shares[at].energy, shares[at].virial}};
  }
  static __device__ double combine(int, double a, double b) { return a + b; }
  static __device__ Values<2> nothing() { return {}; }
};

template <class Real>
__global__ void __launch_bounds__(bond_threads)
    share_bonds(BondView<double> bonds, StateView<Real> s, BondShare* shares) {
  const auto at =
      static_cast<std::int32_t>(static_cast<Index>(blockIdx.x) * bond_threads + threadIdx.x);
  if (at < bonds.count) shares[at] = bond_share(bonds, s, at);
}

unsigned bond_blocks(Index tasks) {
  return static_cast<unsigned>((tasks + bond_threads - 1) / bond_threads);
}

}  // namespace

struct DeviceBondForce::Memory {
  engine::Buffer<std::int32_t, Device> body, bond_begin, angle_begin;
  engine::Buffer<BondEntry, Device> bond;
  engine::Buffer<AngleEntry, Device> angle;
  engine::Buffer<BondCoefficients<float>, Device> bond_single;
  engine::Buffer<BondCoefficients<double>, Device> bond_full;
  engine::Buffer<AngleCoefficients<float>, Device> angle_single;
  engine::Buffer<AngleCoefficients<double>, Device> angle_full;
  engine::Buffer<BondShare, Device> shares;
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
      view.bond_kind = bond_full.data(), view.angle_kind = angle_full.data();
    take_periods(domain, view.length, view.inverse);
    return view;
  }
};

DeviceBondForce::DeviceBondForce(const Cuda& exec, const BondForces& forces, const Domain& domain,
                                 const State<engine::Host>& initial) {
  const BondLists lists = lists_of(forces, initial.id(), initial.count());
  std::vector<BondCoefficients<double>> bond_full;
  std::vector<AngleCoefficients<double>> angle_full;
  std::vector<BondCoefficients<float>> bond_single;
  std::vector<AngleCoefficients<float>> angle_single;
  for (const BondKind& kind : forces.bond_kinds) {
    bond_full.push_back(coefficients_of(kind));
    bond_single.push_back(rounded<float>(bond_full.back()));
  }
  for (const AngleKind& kind : forces.angle_kinds) {
    angle_full.push_back(coefficients_of(kind));
    angle_single.push_back(rounded<float>(angle_full.back()));
  }
  const auto bodies = static_cast<Index>(lists.body.size());
  memory_.reset(new Memory{on_device(exec, lists.body), on_device(exec, lists.bond_begin),
                           on_device(exec, lists.angle_begin), on_device(exec, lists.bond),
                           on_device(exec, lists.angle), on_device(exec, bond_single),
                           on_device(exec, bond_full), on_device(exec, angle_single),
                           on_device(exec, angle_full), engine::Buffer<BondShare, Device>(bodies),
                           engine::Reduction<2>(bodies), domain});
}

DeviceBondForce::DeviceBondForce(DeviceBondForce&&) noexcept = default;
DeviceBondForce::~DeviceBondForce() = default;

std::uint64_t DeviceBondForce::device_bytes(const BondForces& forces) {
  return BondForce::bytes(forces) + 2 * forces.bonds.size() * sizeof(BondShare) +
         engine::Reduction<2>::bytes(static_cast<Index>(2 * forces.bonds.size()));
}

void DeviceBondForce::run(const Cuda& exec, State<Device>& state, const StageTime& time,
                          StepReport& report) {
  state.visit([&]<class Real>(const StateView<Real>& s) {
    const BondView<Real> bonds = memory_->view<Real>();
    engine::launch(exec, {bond_blocks(bonds.count), bond_threads}, add_bonds<Real>, bonds, s,
                   time.record);
  });
  report.interactions += static_cast<std::uint64_t>(memory_->bond.size() + memory_->angle.size());
}

double DeviceBondForce::potential_energy(const Cuda& exec, const State<Device>& state,
                                         const StageTime&) {
  virial_ = 0;
  const BondView<double> bonds = memory_->view<double>();
  if (bonds.count == 0) return 0;
  state.visit([&]<class Const>(const StateView<Const>& s) {
    engine::launch(exec, {bond_blocks(bonds.count), bond_threads}, share_bonds<Const>, bonds, s,
                   memory_->shares.data());
  });
  const Values<2> sum = memory_->sum.run(exec, BondShareTerms{memory_->shares.data()}, bonds.count);
  virial_ = sum.v[1];
  return sum.v[0];
}

}  // namespace mote::sim
