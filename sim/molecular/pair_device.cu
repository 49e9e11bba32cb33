#include "sim/molecular/pair_device.h"

#include <type_traits>

#include "engine/algo/reduce.cuh"
#include "engine/exec/launch.cuh"
#include "engine/memory/on_device.h"
#include "sim/molecular/mass_formula.h"
#include "sim/molecular/pair_loops.cuh"

namespace mote::sim {
namespace {

using engine::Cuda;
using engine::Device;
using engine::Index;
using engine::on_device;
using engine::Precision;
using engine::Values;

constexpr unsigned threads = 256;

template <PairTerms terms, bool uniform, int lanes, class Real, class StateReal>
__global__ void __launch_bounds__(threads, sizeof(StateReal) == 4 && lanes == 1 ? 6 : 1)
    add_forces(DeviceNeighbourView<StateReal> near, PairCoefficientsView<Real> pairs,
               StateView<StateReal> s) {
  const auto at =
      static_cast<int>((static_cast<Index>(blockIdx.x) * threads + threadIdx.x) / lanes);
  const int lane = static_cast<int>(threadIdx.x) % lanes;
  const engine::Vec3<Real> force = pair_forces<terms, uniform, lanes>(near, pairs, at, lane);
  if (at >= near.count || lane != 0) return;
  const std::int32_t i = near.column[at];
  const StateReal inverse = inverse_mass(s.mass[i]);
  s.ax[i] += inverse * static_cast<StateReal>(force.x);
  s.ay[i] += inverse * static_cast<StateReal>(force.y);
  s.az[i] += inverse * static_cast<StateReal>(force.z);
}

/// Half of the energies and virials of each place's pairs, in double.
template <PairTerms terms, int lanes, class StateReal>
__global__ void __launch_bounds__(threads)
    sum_energies(DeviceNeighbourView<StateReal> near, const PairCoefficients<double>* table,
                 int kinds, double* energies, double* virials) {
  // As many lanes as lists are laid out for; each place is one thread's here.
  const auto at = static_cast<int>(static_cast<Index>(blockIdx.x) * threads + threadIdx.x);
  if (at >= near.count) return;
  const PairCoefficients<double>* const row = table + near.place[at].kind * kinds;
  double energy = 0, virial = 0;
  const auto add = [&](int, int kind, StateReal dx, StateReal dy, StateReal dz) {
    const double x = dx, y = dy, z = dz, q = x * x + y * y + z * z;
    const PairTerm<double> term = pair_term<terms>(row[kind], q);
    energy += term.energy;
    virial += term.force * q;
  };
#pragma unroll 1
  for (int lane = 0; lane < lanes; ++lane) for_each_neighbour<lanes>(near, at, lane, add);
  energies[at] = 0.5 * energy;
  virials[at] = 0.5 * virial;
}

struct EnergyTerms {
  const double *energies, *virials;
  __device__ Values<2> operator()(Index i) const { return {{energies[i], virials[i]}}; }
  static __device__ double combine(int, double a, double b) { return a + b; }
  static __device__ Values<2> nothing() { return {}; }
};

std::vector<PairCoefficients<float>> single_of(const PairTable& table) {
  std::vector<PairCoefficients<float>> single;
  for (const PairCoefficients<double>& c : table.all) single.push_back(rounded<float>(c));
  return single;
}

unsigned blocks_for(Index tasks) {
  return static_cast<unsigned>((tasks + threads - 1) / threads);
}

}  // namespace

struct DevicePairForce::Memory {
  Memory(const Cuda& exec, const PairTable& table, Index count)
      : single(on_device(exec, single_of(table))),
        full(on_device(exec, table.all)),
        energies(count),
        virials(count),
        sum(count) {}
  engine::Buffer<PairCoefficients<float>, Device> single;
  engine::Buffer<PairCoefficients<double>, Device> full;
  engine::Buffer<double, Device> energies, virials;
  engine::Reduction<2> sum;
};

DevicePairForce::DevicePairForce(const Cuda& exec, const PairTable& table,
                                 std::shared_ptr<DeviceNeighbours> near, Index count,
                                 Precision precision)
    : table_(table),
      near_(std::move(near)),
      precision_(precision),
      memory_(std::make_unique<Memory>(exec, table, count)) {}

DevicePairForce::DevicePairForce(DevicePairForce&&) noexcept = default;
DevicePairForce::~DevicePairForce() = default;

std::uint64_t DevicePairForce::device_bytes(Index count) {
  return static_cast<std::uint64_t>(count) * 2 * sizeof(double) +
         engine::Reduction<2>::bytes(count);
}

template <class Real>
PairCoefficientsView<Real> DevicePairForce::coefficients() const {
  if constexpr (std::is_same_v<Real, float>)
    return {rounded<float>(table_.all[0]), memory_->single.data(), table_.kinds};
  else
    return {table_.all[0], memory_->full.data(), table_.kinds};
}
template PairCoefficientsView<float> DevicePairForce::coefficients<float>() const;
template PairCoefficientsView<double> DevicePairForce::coefficients<double>() const;

void DevicePairForce::run(const Cuda& exec, State<Device>& state, StepReport&) {
  const auto start = [&]<class StateReal, class Real>(const StateView<StateReal>& s,
                                                      const PairCoefficientsView<Real>& pairs) {
    const DeviceNeighbourView<StateReal> near = near_->view<StateReal>();
    with_terms(table_.terms, [&](auto terms) {
      with_lanes(near.lanes, [&](auto lanes) {
        const engine::LaunchShape shape{blocks_for(Index{near.count} * lanes()), threads};
        with_uniform<terms(), StateReal>(table_.kinds, [&](auto uniform) {
          engine::launch(exec, shape, add_forces<terms(), uniform(), lanes(), Real, StateReal>,
                         near, pairs, s);
        });
      });
    });
  };
  state.visit([&]<class StateReal>(const StateView<StateReal>& s) {
    if (precision_ == Precision::full)
      start(s, coefficients<double>());
    else
      start(s, coefficients<float>());
  });
}

double DevicePairForce::potential_energy(const Cuda& exec, const State<Device>& state) {
  virial_ = 0;
  if (near_->places() == 0) return 0;
  state.visit([&]<class Const>(const StateView<Const>&) {
    using StateReal = std::remove_const_t<Const>;
    const DeviceNeighbourView<StateReal> near = near_->view<StateReal>();
    with_terms(table_.terms, [&](auto terms) {
      with_lanes(near.lanes, [&](auto lanes) {
        engine::launch(exec, {blocks_for(near.count), threads},
                       sum_energies<terms(), lanes(), StateReal>, near, memory_->full.data(),
                       table_.kinds, memory_->energies.data(), memory_->virials.data());
      });
    });
  });
  const Values<2> sum = memory_->sum.run(
      exec, EnergyTerms{memory_->energies.data(), memory_->virials.data()}, near_->places());
  virial_ = sum.v[1];
  return sum.v[0];
}

}  // namespace mote::sim
