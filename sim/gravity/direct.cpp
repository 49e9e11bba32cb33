#include "sim/gravity/direct.h"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/exec/parallel.h"
#include "engine/exec/ranks.h"
#include "sim/expansions/direct_kernel.h"
#include "sim/expansions/expansion.h"

namespace mote::sim {
namespace {

using engine::Cpu;
using engine::Host;
using engine::Index;
using engine::Precision;

/// Tasks begin at multiples of this, which is divisible by the batch size of every kernel.
constexpr Index target_multiple = 64;

/// Bodies i per task of the potential. Fixed: the sum over tasks must not depend on the number of
/// threads.
constexpr Index potential_chunk = 256;

/// Most interactions per task: some tenths of a second, because a loop can be cancelled only
/// between tasks. Above four million bodies, the smallest task exceeds it.
constexpr Index task_interactions = Index{1} << 28;

/// Bodies per task: few enough to keep all threads busy to the end. Each body has its own sum,
/// so this changes no bit.
Index target_chunk(Index count, int threads) {
  const Index bodies = std::min(count / (8 * static_cast<Index>(threads)),
                                task_interactions / std::max<Index>(count, 1));
  return std::clamp(bodies / target_multiple * target_multiple, target_multiple,
                    largest_target_chunk);
}

/// With fewer interactions, starting the threads costs more than they save.
constexpr Index min_parallel_interactions = 100'000;

template <class Real>
Sources<Real> sources_of(Index count, const engine::Buffer<Real, Host> (&p)[4]) {
  return {count, p[0].data(), p[1].data(), p[2].data(), p[3].data(), nullptr, nullptr, nullptr};
}

}  // namespace

const DirectKernels& direct_kernels(engine::SimdLevel level) {
  return engine::kernels_for(level, direct_kernels_scalar, direct_kernels_sse4_2,
                             direct_kernels_avx2, direct_kernels_avx512);
}

/// Those that kernels are compiled for.
constexpr double expansion_orders[2] = {expansion::smallest_order, expansion::largest_order};

const engine::ParamTable<Gravity>& gravity_table() {
  static const engine::ParamTable<Gravity> table{
      "gravity",
      "Newtonian gravity between all bodies, by direct sums or multipole expansions. Leave the "
      "table "
      "out for none.",
      {engine::param(&Gravity::softening, {.name = "softening",
                                           .help = "Plummer softening length; 0 for point masses",
                                           .unit = "length",
                                           .minimum = 0,
                                           .live = true}),
       engine::param(&Gravity::constant,
                     {.name = "constant",
                      .help = "gravitational constant G; by default that of the units",
                      .unit = "gravitational constant",
                      .minimum = 0}),
       engine::param(&Gravity::solver,
                     {.name = "solver",
                      .help = "direct sums over all pairs, expansions with an error that is asked "
                              "for, or what is better for this number of bodies",
                      .choices = {"auto", "direct", "multipole"}}),
       engine::param(
           &Gravity::accuracy,
           {.name = "accuracy",
            .help = "of multipole: the relative error that 99 % of the forces stay below; "
                    "1e-3 if it is not given",
            .minimum = 1e-7,
            .maximum = 0.1}),
       engine::param(&Gravity::order,
                     {.name = "order",
                      .help = "of multipole: order of the expansions, for experts; "
                              "by default it follows from the accuracy",
                      .minimum = expansion_orders[0],
                      .maximum = expansion_orders[1]}),
       engine::param(&Gravity::leaf,
                     {.name = "leaf",
                      .help = "of multipole: most bodies of a leaf of the tree, for "
                              "experts; by default it follows from the order",
                      .minimum = 1,
                      .maximum = 4096})}};
  return table;
}

DirectGravity::DirectGravity(const Gravity& parameters, double gravitational, Index count,
                             Precision precision)
    : softening_(parameters.softening),
      gravitational_(parameters.constant.value_or(gravitational)),
      precision_(precision) {
  for (auto& array : packed_double_) array = Column<double>(count);
  for (auto& array : sums_) array = Column<double>(count);
  if (precision == Precision::double_) return;
  for (auto& array : packed_single_) array = Column<float>(count);
  if (precision == Precision::single) return;
  for (auto* columns : {packed_low_, target_high_, target_low_})
    for (int axis = 0; axis < 3; ++axis) columns[axis] = Column<float>(count);
}

std::uint64_t DirectGravity::scratch_bytes(Index count, Precision precision) {
  const std::uint64_t doubles = 7 * sizeof(double);
  const std::uint64_t per_body = precision == Precision::double_  ? doubles
                                 : precision == Precision::single ? doubles + 4 * sizeof(float)
                                                                  : doubles + 13 * sizeof(float);
  return static_cast<std::uint64_t>(count) * per_body;
}

std::uint64_t DirectGravity::chosen_bytes(Index count, Precision precision) {
  // Sources and targets with velocities, low parts of both, and jerks (Chosen).
  const std::uint64_t numbers = precision == Precision::mixed ? 19 : 13,
                      real = precision == Precision::double_ ? sizeof(double) : sizeof(float);
  return static_cast<std::uint64_t>(count) * (numbers * real + 3 * sizeof(double));
}

template <class Real, class StateReal>
Index DirectGravity::pack(const StateView<StateReal>& s, Column<Real> (&packed)[4],
                          Column<float>* low) {
  Index packed_count = 0;
  for (Index i = 0; i < s.count; ++i) {
    if (s.mass[i] == 0) continue;
    const StateReal position[3] = {s.x[i], s.y[i], s.z[i]};
    for (int axis = 0; axis < 3; ++axis) {
      packed[axis].data()[packed_count] = static_cast<Real>(position[axis]);
      if (low)
        low[axis].data()[packed_count] = static_cast<float>(
            position[axis] - static_cast<StateReal>(static_cast<Real>(position[axis])));
    }
    packed[3].data()[packed_count++] = static_cast<Real>(s.mass[i]);
  }
  // The potential loads lanes past the last source: they must hold finite numbers.
  for (auto& array : packed)
    std::fill(array.data() + packed_count, array.data() + array.padded_size(), Real(0));
  return packed_count;
}

template <class StateReal>
void DirectGravity::split_targets(const Cpu& exec, const StateView<StateReal>& s) {
  const StateReal* from[3] = {s.x, s.y, s.z};
  engine::parallel_chunks(exec.threads, s.count, [&](Index begin, Index end) {
    for (int axis = 0; axis < 3; ++axis) {
      float *high = target_high_[axis].data(), *low = target_low_[axis].data();
      for (Index i = begin; i < end; ++i) {
        high[i] = static_cast<float>(from[axis][i]);
        low[i] = static_cast<float>(from[axis][i] - static_cast<StateReal>(high[i]));
      }
    }
  });
}

template <class Real>
void DirectGravity::run_on(const Cpu& exec, StateView<Real> s, StateView<Real> with_copies,
                           StepReport& report) {
  double* sums[3] = {sums_[0].data(), sums_[1].data(), sums_[2].data()};
  const DirectKernels& kernels = direct_kernels(exec.simd);
  Index sources = 0;
  const auto softening = static_cast<float>(softening_);
  const auto for_targets = [&](auto&& kernel) {
    const bool small = s.count * sources < min_parallel_interactions;
    const Index chunk = target_chunk(s.count, exec.threads);
    engine::parallel_tasks(
        small ? 1 : exec.threads, (s.count + chunk - 1) / chunk, [&](Index task) {
          const Index begin = task * chunk, end = std::min(begin + chunk, s.count);
          kernel(begin, end);
          for (Index i = begin; i < end; ++i) {
            s.ax[i] += static_cast<Real>(gravitational_ * sums[0][i]);
            s.ay[i] += static_cast<Real>(gravitational_ * sums[1][i]);
            s.az[i] += static_cast<Real>(gravitational_ * sums[2][i]);
          }
        });
  };

  if constexpr (std::is_same_v<Real, float>) {
    sources = pack(with_copies, packed_single_, nullptr);
    const auto from = sources_of(sources, packed_single_);
    const Targets<float> to{s.x, s.y, s.z, nullptr, nullptr, nullptr, sums[0], sums[1], sums[2]};
    for_targets([&](Index begin, Index end) {
      kernels.single(from, to, begin, end, softening * softening);
    });
  } else if (precision_ == Precision::mixed) {
    sources = pack(with_copies, packed_single_, packed_low_);
    split_targets(exec, s);
    auto from = sources_of(sources, packed_single_);
    from.x_low = packed_low_[0].data();
    from.y_low = packed_low_[1].data();
    from.z_low = packed_low_[2].data();
    const Targets<float> to{target_high_[0].data(),
                            target_high_[1].data(),
                            target_high_[2].data(),
                            target_low_[0].data(),
                            target_low_[1].data(),
                            target_low_[2].data(),
                            sums[0],
                            sums[1],
                            sums[2]};
    for_targets([&](Index begin, Index end) {
      kernels.mixed(from, to, begin, end, softening * softening);
    });
  } else {
    sources = pack(with_copies, packed_double_, nullptr);
    const auto from = sources_of(sources, packed_double_);
    const Targets<double> to{s.x, s.y, s.z, nullptr, nullptr, nullptr, sums[0], sums[1], sums[2]};
    for_targets([&](Index begin, Index end) {
      kernels.double_(from, to, begin, end, softening_ * softening_);
    });
  }
  report.interactions += static_cast<std::uint64_t>(s.count) * static_cast<std::uint64_t>(sources);
}

void DirectGravity::run(const Cpu& exec, State<Host>& state, StepReport& report) {
  MOTE_EXPECT(state.all() == sums_[0].size() && state.precision() == precision_);
  state.visit([&](auto s) { run_on(exec, s, s.with(state.copies()), report); });
}

void DirectGravity::run(const Cpu& exec, State<Host>& state, const ForceRequest& request,
                        StepReport& report) {
  if (request.plain()) return run(exec, state, report);
  MOTE_EXPECT(state.all() == sums_[0].size() && state.precision() == precision_);
  state.visit([&](auto view) {
    const auto with_copies = view.with(state.copies());
    if (precision_ == Precision::double_)
      run_chosen<double>(exec, view, with_copies, request, report);
    else
      run_chosen<float>(exec, view, with_copies, request, report);
  });
}

template <class Real, class StateReal>
void DirectGravity::run_chosen(const Cpu& exec, StateView<StateReal> s,
                               const StateView<StateReal>& with_copies, const ForceRequest& request,
                               StepReport& report) {
  if (!std::holds_alternative<Chosen<Real>>(chosen_)) chosen_ = Chosen<Real>{};
  auto& own = std::get<Chosen<Real>>(chosen_);
  const bool low = precision_ == Precision::mixed, jerks = request.with_jerks();
  const auto fit = [&](auto& columns, bool needed) {
    for (auto& column : columns)
      if (needed && column.size() != with_copies.count)
        column = std::remove_reference_t<decltype(column)>(with_copies.count);
  };
  fit(own.source, true), fit(own.target, true);
  fit(own.source_low, low), fit(own.target_low, low);
  for (auto* columns : {&own.source_velocity, &own.target_velocity}) fit(*columns, jerks);
  fit(own.jerks, jerks);

  const auto copy = [&](const StateView<StateReal>& bodies, Index from, Index to, auto& high,
                        auto& low_part, auto& velocity) {
    const StateReal *const x[3] = {bodies.x, bodies.y, bodies.z}, *const v[3] = {bodies.vx,
                                                                                 bodies.vy,
                                                                                 bodies.vz};
    for (int axis = 0; axis < 3; ++axis) {
      const Real rounded = static_cast<Real>(x[axis][from]);
      high[axis].data()[to] = rounded;
      if (low)
        low_part[axis].data()[to] =
            static_cast<Real>(x[axis][from] - static_cast<StateReal>(rounded));
      if (jerks) velocity[axis].data()[to] = static_cast<Real>(v[axis][from]);
    }
  };
  Index sources = 0;
  for (Index i = 0; i < with_copies.count; ++i) {
    if (with_copies.mass[i] == 0) continue;
    own.source[3].data()[sources] = static_cast<Real>(with_copies.mass[i]);
    copy(with_copies, i, sources++, own.source, own.source_low, own.source_velocity);
  }
  const Index targets = request.targets.of(s.count);
  report.interactions += static_cast<std::uint64_t>(targets) * static_cast<std::uint64_t>(sources);
  if (sources == 0 || targets == 0) return;
  constexpr Index widest = 16;  // lanes
  const Index padded = (sources + widest - 1) / widest * widest;
  for (Index k = sources; k < padded; ++k) {
    own.source[3].data()[k] = 0;
    const auto repeat = [&](auto& columns, bool needed) {
      for (int axis = 0; needed && axis < 3; ++axis)
        columns[axis].data()[k] = columns[axis].data()[sources - 1];
    };
    repeat(own.source, true), repeat(own.source_low, low), repeat(own.source_velocity, jerks);
  }
  for (Index k = 0; k < targets; ++k)
    copy(s, chosen_slot(request.targets.slots, k), k, own.target, own.target_low,
         own.target_velocity);

  MovingSources<Real> from{padded, {}, {}, {}, own.source[3].data()};
  ChosenTargets<Real> to{};
  for (int axis = 0; axis < 3; ++axis) {
    from.high[axis] = own.source[axis].data(), to.high[axis] = own.target[axis].data();
    from.low[axis] = own.source_low[axis].data(), to.low[axis] = own.target_low[axis].data();
    from.velocity[axis] = own.source_velocity[axis].data();
    to.velocity[axis] = own.target_velocity[axis].data();
    to.a[axis] = sums_[axis].data(), to.jerk[axis] = jerks ? own.jerks[axis].data() : nullptr;
  }
  const DirectKernels& kernels = direct_kernels(exec.simd);
  const auto e = static_cast<Real>(softening_);
  StateReal* const a[3] = {s.ax, s.ay, s.az};
  const bool small = targets * padded < min_parallel_interactions;
  const Index chunk =
      std::clamp<Index>(targets / (8 * static_cast<Index>(exec.threads)), 4, largest_target_chunk);
  engine::parallel_tasks(small ? 1 : exec.threads, (targets + chunk - 1) / chunk, [&](Index task) {
    const Index begin = task * chunk, end = std::min(begin + chunk, targets);
    if constexpr (std::is_same_v<Real, double>)
      kernels.chosen_double(from, to, begin, end, e * e);
    else
      (low ? kernels.chosen_mixed : kernels.chosen_single)(from, to, begin, end, e * e);
    for (int axis = 0; axis < 3; ++axis)
      for (Index k = begin; k < end; ++k) {
        const Index i = chosen_slot(request.targets.slots, k);
        a[axis][i] += static_cast<StateReal>(gravitational_ * to.a[axis][k]);
        if (jerks) request.jerks[axis][i] += gravitational_ * to.jerk[axis][k];
      }
  });
}

double DirectGravity::potential_energy(const Cpu& exec, const State<Host>& state) {
  MOTE_EXPECT(state.all() == sums_[0].size());
  const Index count =
      state.visit([&](auto s) { return pack(s.with(state.copies()), packed_double_, nullptr); });
  const auto sources = sources_of(count, packed_double_);
  const DirectKernels& kernels = direct_kernels(exec.simd);
  const Index tasks = (count + potential_chunk - 1) / potential_chunk;
  // Ranks take turns: earlier tasks have more pairs.
  const Index ranks = exec.ranks ? exec.ranks->size() : 1,
              rank = exec.ranks ? exec.ranks->rank() : 0;
  const Index turns = (tasks - rank + ranks - 1) / ranks;
  std::vector<double> parts(static_cast<std::size_t>(turns));
  engine::parallel_tasks(count * count < min_parallel_interactions ? 1 : exec.threads, turns,
                         [&](Index turn) {
                           const Index begin = (turn * ranks + rank) * potential_chunk,
                                       end = std::min(begin + potential_chunk, count);
                           parts[static_cast<std::size_t>(turn)] =
                               kernels.pair_potential(sources, begin, end, softening_ * softening_);
                         });
  parts = engine::gather(exec.ranks, std::move(parts));
  std::vector<double> in_order(parts.size());
  auto next = parts.begin();
  for (Index r = 0; r < ranks; ++r)
    for (Index task = r; task < tasks; task += ranks)
      in_order[static_cast<std::size_t>(task)] = *next++;
  double sum = 0;
  for (double part : in_order) sum += part;
  return -gravitational_ * sum;
}

std::vector<double> DirectGravity::potentials(const Cpu& exec, const State<Host>& state) {
  const Index count = state.all();
  MOTE_EXPECT(count == sums_[0].size());
  Column<double> target[3];
  for (Column<double>& column : target) column = Column<double>(count);
  const Index massive = state.visit([&](auto own) {
    const auto s = own.with(state.copies());
    std::copy_n(s.x, count, target[0].data());
    std::copy_n(s.y, count, target[1].data());
    std::copy_n(s.z, count, target[2].data());
    return pack(s, packed_double_, nullptr);
  });
  const auto sources = sources_of(massive, packed_double_);
  const Targets<double> to{target[0].data(), target[1].data(), target[2].data(), nullptr, nullptr,
                           nullptr,          sums_[0].data(),  nullptr,          nullptr};
  const DirectKernels& kernels = direct_kernels(exec.simd);
  const Index chunk = target_chunk(count, exec.threads);
  engine::parallel_tasks(count * massive < min_parallel_interactions ? 1 : exec.threads,
                         (count + chunk - 1) / chunk, [&](Index task) {
                           kernels.potentials(sources, to, task * chunk,
                                              std::min((task + 1) * chunk, count),
                                              softening_ * softening_);
                         });
  std::vector<double> result(static_cast<std::size_t>(count));
  std::transform(sums_[0].data(), sums_[0].data() + count, result.begin(),
                 [&](double sum) { return -gravitational_ * sum; });
  return result;
}

}  // namespace mote::sim
