#include "sim/molecular/pair_device.h"

#include <type_traits>

#include "engine/algo/reduce.cuh"
#include "engine/exec/launch.cuh"
#include "engine/memory/on_device.h"
#include "sim/molecular/inverse_mass_formula.h"
#include "sim/molecular/pair_loops.cuh"

namespace mote::sim {
namespace {

using engine::blocks_for;
using engine::Cuda;
using engine::Device;
using engine::Index;
using engine::on_device;
using engine::Precision;
using engine::Values;

constexpr unsigned pair_threads = 256;

template <PairTerms terms, bool uniform, int lanes, class Real, class StateReal>
__global__ void __launch_bounds__(pair_threads, sizeof(StateReal) == 4 && lanes == 1 ? 6 : 1)
    add_forces(DeviceNeighbourView<StateReal> neighbours, PairCoefficientsView<Real> pairs,
               StateView<StateReal> s) {
  const auto slot =
      static_cast<int>((static_cast<Index>(blockIdx.x) * pair_threads + threadIdx.x) / lanes);
  const int lane = static_cast<int>(threadIdx.x) % lanes;
  const engine::Vec3<Real> force =
      pair_forces<terms, uniform, lanes>(neighbours, pairs, slot, lane);
  if (slot >= neighbours.count || lane != 0) return;
  const std::int32_t i = neighbours.index[slot];
  const StateReal inverse = inverse_mass(s.mass[i]);
  s.ax[i] += inverse * static_cast<StateReal>(force.x);
  s.ay[i] += inverse * static_cast<StateReal>(force.y);
  s.az[i] += inverse * static_cast<StateReal>(force.z);
}

/// Half of the energies and virials of each slot's pairs, in double.
template <PairTerms terms, int lanes, class StateReal>
__global__ void __launch_bounds__(pair_threads)
    sum_energies(DeviceNeighbourView<StateReal> neighbours, const PairCoefficients<double>* table,
                 int kinds, double* energies, double* virials) {
  // One thread per slot, which loops over the lanes of the list layout.
  const auto slot = static_cast<int>(static_cast<Index>(blockIdx.x) * pair_threads + threadIdx.x);
  if (slot >= neighbours.count) return;
  const PairCoefficients<double>* const row = table + neighbours.position[slot].kind * kinds;
  double energy = 0, virial = 0;
  const auto add = [&](int, int kind, StateReal dx, StateReal dy, StateReal dz) {
    const double x = dx, y = dy, z = dz, q = x * x + y * y + z * z;
    const PairTerm<double> term = pair_term<terms>(row[kind], q);
    energy += term.energy;
    virial += term.force * q;
  };
#pragma unroll 1
  for (int lane = 0; lane < lanes; ++lane) for_each_neighbour<lanes>(neighbours, slot, lane, add);
  energies[slot] = 0.5 * energy;
  virials[slot] = 0.5 * virial;
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

}  // namespace

struct DevicePairForce::Buffers {
  Buffers(const Cuda& exec, const PairTable& table, Index count)
      : single(on_device(exec, single_of(table))),
        double_(on_device(exec, table.all)),
        energies(count),
        virials(count),
        sum(count) {}
  engine::Buffer<PairCoefficients<float>, Device> single;
  engine::Buffer<PairCoefficients<double>, Device> double_;
  engine::Buffer<double, Device> energies, virials;
  engine::Reduction<2> sum;
};

DevicePairForce::DevicePairForce(const Cuda& exec, const PairTable& table,
                                 std::shared_ptr<DeviceNeighbours> neighbours, Index count,
                                 Precision precision)
    : table_(table),
      neighbours_(std::move(neighbours)),
      precision_(precision),
      buffers_(std::make_unique<Buffers>(exec, table, count)) {}

DevicePairForce::DevicePairForce(DevicePairForce&&) noexcept = default;
DevicePairForce::~DevicePairForce() = default;

std::uint64_t DevicePairForce::device_bytes(Index count) {
  return static_cast<std::uint64_t>(count) * 2 * sizeof(double) +
         engine::Reduction<2>::bytes(count);
}

template <class Real>
PairCoefficientsView<Real> DevicePairForce::coefficients() const {
  if constexpr (std::is_same_v<Real, float>)
    return {rounded<float>(table_.all[0]), buffers_->single.data(), table_.kinds};
  else
    return {table_.all[0], buffers_->double_.data(), table_.kinds};
}
template PairCoefficientsView<float> DevicePairForce::coefficients<float>() const;
template PairCoefficientsView<double> DevicePairForce::coefficients<double>() const;

void DevicePairForce::run(const Cuda& exec, State<Device>& state, StepReport&) {
  const auto launch = [&]<class StateReal, class Real>(const StateView<StateReal>& s,
                                                       const PairCoefficientsView<Real>& pairs) {
    const DeviceNeighbourView<StateReal> neighbours = neighbours_->view<StateReal>();
    with_terms(table_.terms, [&](auto terms) {
      with_lanes(neighbours.lanes, [&](auto lanes) {
        const engine::LaunchShape shape{blocks_for(Index{neighbours.count} * lanes(), pair_threads),
                                        pair_threads};
        with_uniform<terms(), StateReal>(table_.kinds, [&](auto uniform) {
          engine::launch(exec, shape, add_forces<terms(), uniform(), lanes(), Real, StateReal>,
                         neighbours, pairs, s);
        });
      });
    });
  };
  state.visit([&]<class StateReal>(const StateView<StateReal>& s) {
    if (precision_ == Precision::double_)
      launch(s, coefficients<double>());
    else
      launch(s, coefficients<float>());
  });
}

double DevicePairForce::potential_energy(const Cuda& exec, const State<Device>& state) {
  virial_ = 0;
  if (neighbours_->slots() == 0) return 0;
  state.visit([&]<class Const>(const StateView<Const>&) {
    using StateReal = std::remove_const_t<Const>;
    const DeviceNeighbourView<StateReal> neighbours = neighbours_->view<StateReal>();
    with_terms(table_.terms, [&](auto terms) {
      with_lanes(neighbours.lanes, [&](auto lanes) {
        engine::launch(exec, {blocks_for(neighbours.count, pair_threads), pair_threads},
                       sum_energies<terms(), lanes(), StateReal>, neighbours,
                       buffers_->double_.data(), table_.kinds, buffers_->energies.data(),
                       buffers_->virials.data());
      });
    });
  });
  const Values<2> sum = buffers_->sum.run(
      exec, EnergyTerms{buffers_->energies.data(), buffers_->virials.data()}, neighbours_->slots());
  virial_ = sum.v[1];
  return sum.v[0];
}

}  // namespace mote::sim
