#include "sim/molecular/pair_force.h"

#include <algorithm>

#include "engine/algo/reduce.h"
#include "engine/check.h"
#include "engine/exec/parallel.h"
#include "sim/molecular/inverse_mass_formula.h"
#include "sim/space/periods.h"

namespace mote::sim {
namespace {

using engine::Cpu;
using engine::Host;
using engine::Index;
using engine::Precision;

constexpr Index slots_per_task = 256;

/// Position among all_pair_terms.
int number_of(const PairTerms& terms) {
  const auto* const found = std::find(std::begin(all_pair_terms), std::end(all_pair_terms), terms);
  MOTE_EXPECT(found != std::end(all_pair_terms));
  return static_cast<int>(found - all_pair_terms);
}

}  // namespace

const PairKernels& pair_kernels(engine::SimdLevel level) {
  return engine::kernels_for(level, pair_kernels_scalar, pair_kernels_sse4_2, pair_kernels_avx2,
                             pair_kernels_avx512);
}

PairForce::PairForce(const PairTable& table, std::shared_ptr<const Neighbours> neighbours,
                     Index count, Precision precision)
    : table_(table),
      neighbours_(std::move(neighbours)),
      precision_(precision),
      energy_(count),
      virial_(count) {
  for (auto& column : force_) column = engine::Buffer<double, Host>(count);
  if (precision == Precision::single)
    for (auto& column : position_) column = engine::Buffer<double, Host>(count);
  if (table.kinds > 1) kind_ = engine::Buffer<std::uint8_t, Host>(count);
  for (const PairCoefficients<double>& c : table.all) single_table_.push_back(rounded<float>(c));
}

std::uint64_t PairForce::scratch_bytes(Index count, Precision precision) {
  return static_cast<std::uint64_t>(count) * (precision == Precision::single ? 8 : 5) *
         sizeof(double);
}

template <class StateReal, class Real>
PairLoop<StateReal, Real> PairForce::loop(const Cpu& exec,
                                          const NeighbourView<StateReal>& neighbours,
                                          const std::uint8_t* species) {
  const bool kinds = table_.kinds > 1 && species;
  if (kinds)
    engine::parallel_chunks(exec.threads, neighbours.count, [&](Index begin, Index end) {
      for (Index p = begin; p < end; ++p) kind_.data()[p] = species[neighbours.index[p]];
    });
  const PairCoefficients<Real>* table;
  if constexpr (std::is_same_v<Real, float>)
    table = single_table_.data();
  else
    table = table_.all.data();
  return {neighbours, kinds ? kind_.data() : nullptr, table_.kinds, table};
}

template <class StateReal, class Real>
void PairForce::add(const Cpu& exec, const StateView<StateReal>& s,
                    const PairKernel<StateReal, Real>& kernel, StepReport& report) {
  const auto all = loop<StateReal, Real>(exec, neighbours_->view<StateReal>(), s.species);
  const PairSums sums{force_[0].data(), force_[1].data(), force_[2].data(), nullptr, nullptr};
  const Index slots = all.neighbours.count;
  engine::parallel_tasks(
      exec.threads, (slots + slots_per_task - 1) / slots_per_task, [&](Index task) {
        const Index begin = task * slots_per_task, end = std::min(begin + slots_per_task, slots);
        kernel(all, sums, begin, end);
        for (Index p = begin; p < end; ++p) {
          const std::int32_t i = all.neighbours.index[p];
          const double inverse = inverse_mass(static_cast<double>(s.mass[i]));
          s.ax[i] += static_cast<StateReal>(inverse * sums.fx[p]);
          s.ay[i] += static_cast<StateReal>(inverse * sums.fy[p]);
          s.az[i] += static_cast<StateReal>(inverse * sums.fz[p]);
        }
      });
  report.interactions += static_cast<std::uint64_t>(neighbours_->neighbour_count());
}

void PairForce::run(const Cpu& exec, State<Host>& state, StepReport& report) {
  MOTE_EXPECT(state.count() == force_[0].size() && state.precision() == precision_);
  const int terms = number_of(table_.terms);
  const PairKernels& kernels = pair_kernels(exec.simd);
  state.visit([&]<class Real>(const StateView<Real>& s) {
    if constexpr (std::is_same_v<Real, float>)
      add<float, float>(exec, s, kernels.single[terms], report);
    else if (precision_ == Precision::mixed)
      add<double, float>(exec, s, kernels.mixed[terms], report);
    else
      add<double, double>(exec, s, kernels.double_[terms], report);
  });
}

PairForce::Energies PairForce::energies(const Cpu& exec, const State<Host>& state) {
  const PairKernel<double, double> kernel =
      pair_kernels(exec.simd).double_[number_of(table_.terms)];
  NeighbourView<double> neighbours;
  if (precision_ == Precision::single) {
    const NeighbourView<float> from = neighbours_->view<float>();
    const float* const x[3] = {from.x, from.y, from.z};
    for (int axis = 0; axis < 3; ++axis) std::copy_n(x[axis], from.count, position_[axis].data());
    neighbours = {from.count,
                  from.index,
                  position_[0].data(),
                  position_[1].data(),
                  position_[2].data(),
                  from.begin,
                  from.neighbour,
                  {},
                  {}};
    fill_periods(neighbours_->domain(), neighbours.length, neighbours.inverse);
  } else {
    neighbours = neighbours_->view<double>();
  }
  const auto all = loop<double, double>(exec, neighbours, state.species());
  const PairSums sums{force_[0].data(), force_[1].data(), force_[2].data(), energy_.data(),
                      virial_.data()};
  engine::parallel_tasks(exec.threads, (neighbours.count + slots_per_task - 1) / slots_per_task,
                         [&](Index task) {
                           kernel(all, sums, task * slots_per_task,
                                  std::min((task + 1) * slots_per_task, neighbours.count));
                         });
  return engine::ordered_sum(exec.threads, neighbours.count, Energies{},
                             [&](Index begin, Index end) {
                               Energies sum;
                               for (Index p = begin; p < end; ++p)
                                 sum += {energy_.data()[p], virial_.data()[p]};
                               return sum;
                             });
}

double PairForce::potential_energy(const Cpu& exec, const State<Host>& state) {
  const Energies all = energies(exec, state);
  virial_sum_ = all.virial;
  return all.energy;
}

}  // namespace mote::sim
