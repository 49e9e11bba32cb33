#include "sim/molecular/module/persistent_pairs.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "engine/exec/launch.cuh"
#include "engine/exec/sequenced_packet.cuh"
#include "engine/exec/together.h"
#include "sim/molecular/inverse_mass_formula.h"
#include "sim/molecular/pair_loops.cuh"
#include "sim/motion/finite.cuh"
#include "sim/motion/move_list.h"
#include "sim/space/neighbour_build.cuh"

namespace mote::sim {
namespace pair_motion {

template <class Real>
struct alignas(4 * sizeof(Real)) Motion {
  Real x, y, z;  ///< velocity
  Real inverse;  ///< 1 / mass; 0 for massless bodies
};

}  // namespace pair_motion

namespace {

using engine::Cuda;
using engine::Device;
using engine::Index;
using engine::Precision;
using engine::Vec3;
using neighbour_build::BuildTask;
using neighbour_build::GridStride;
using pair_motion::Motion;

constexpr int most_forces = 8;  // per step

template <class Real, class StateReal>
struct PersistentPairsTask {
  BuildTask<StateReal> build;
  PairCoefficientsView<Real> pairs;
  int forces;  ///< per step
  /// Moves of a step: before its first force, after each force but the last, after the last.
  MoveList<StateReal> begin, between[most_forces], end;
  PositionAndKind<StateReal>* position[2];  ///< indexed by slot; the first is that of BuildTask
  Motion<StateReal>* motion[2];             ///< indexed by slot
  /// The number of the force, counted over all launches, before which lists must be rebuilt. Two
  /// entries alternate: a block may reach the next force before another has read the entry.
  std::uint64_t* due;
  std::uint64_t first_force, steps;
  DeviceRecord* record;
  std::uint64_t* times;  ///< times of start and end, for a KernelClock
};

/// After drifts: reflects a body at walls; true if it has moved at most half the skin since the
/// last build.
template <class Real>
__device__ __forceinline__ bool reflect_and_test_skin(const BuildTask<Real>& task, Index p,
                                                      Vec3<Real>& x, Vec3<Real>& v) {
  Real* const position[3] = {&x.x, &x.y, &x.z};
  Real* const velocity[3] = {&v.x, &v.y, &v.z};
#pragma unroll
  for (int axis = 0; axis < 3; ++axis) {
    if (!task.domain.walled[axis]) continue;
    const double from = neighbour_build::along(task.domain.low, axis);
    const Bounced<Real> b =
        bounced(*position[axis], *velocity[axis], static_cast<Real>(from),
                static_cast<Real>(from + neighbour_build::along(task.domain.length, axis)));
    if (b.position != *position[axis]) *position[axis] = b.position, *velocity[axis] = b.velocity;
  }
  const PositionAndKind<Real> before = task.list_origin[p];
  const Real dx = x.x - before.x, dy = x.y - before.y, dz = x.z - before.z;
  return dx * dx + dy * dy + dz * dz <= task.max_squared_displacement;
}

/// Stores body i in slot p of buffer b.
template <class Real, class StateReal>
__device__ __forceinline__ void store_slot(const PersistentPairsTask<Real, StateReal>& t, int b,
                                           Index p, std::int32_t i, const Vec3<StateReal>& x,
                                           const Vec3<StateReal>& v) {
  const StateView<StateReal>& s = t.build.s;
  t.position[b][p] = {x.x, x.y, x.z, s.species ? s.species[i] : 0};
  t.motion[b][p] = {v.x, v.y, v.z, inverse_mass(s.mass[i])};
}

/// Gathers the state into slots.
template <class Real, class StateReal>
__device__ void gather(const PersistentPairsTask<Real, StateReal>& t, GridStride range, int b) {
  const StateView<StateReal>& s = t.build.s;
  for (Index p = range.first; p < s.count; p += range.stride) {
    const std::int32_t i = t.build.index[p];
    store_slot(t, b, p, i, {s.x[i], s.y[i], s.z[i]}, {s.vx[i], s.vy[i], s.vz[i]});
  }
}

/// Scatters the position and velocity of body i, or of all slots, back to the state.
template <class Position, class Velocity, class Real>
__device__ __forceinline__ void scatter(const StateView<Real>& s, std::int32_t i, const Position& x,
                                        const Velocity& v) {
  s.x[i] = x.x, s.y[i] = x.y, s.z[i] = x.z;
  s.vx[i] = v.x, s.vy[i] = v.y, s.vz[i] = v.z;
}
template <class Real, class StateReal>
__device__ void scatter(const PersistentPairsTask<Real, StateReal>& t, GridStride range, int b) {
  const StateView<StateReal>& s = t.build.s;
  for (Index p = range.first; p < s.count; p += range.stride) {
    const PositionAndKind<StateReal> x = t.position[b][p];
    const Motion<StateReal> v = t.motion[b][p];
    scatter(s, t.build.index[p], x, v);
  }
}

/// Rebuilds the lists. Rare and large, so not inlined: it must not raise the register count of the
/// steps.
template <int lanes, class Real, class StateReal>
__device__ __noinline__ void rebuild_between_forces(const PersistentPairsTask<Real, StateReal>& t,
                                                    GridStride range, int b, bool moved) {
  const auto grid = cooperative_groups::this_grid();
  scatter(t, range, b);
  grid.sync();
  neighbour_build::rebuild_lists<lanes>(t.build, grid, range, engine::shared_memory<int>(), moved);
  gather(t, range, b);
  grid.sync();
}

/// The first moves of the first step; true if a body has moved more than half the skin.
template <class Real, class StateReal>
__device__ bool begin(const PersistentPairsTask<Real, StateReal>& t, GridStride range) {
  const StateView<StateReal>& s = t.build.s;
  bool within = true;
  for (Index p = range.first; p < s.count; p += range.stride) {
    const std::int32_t i = t.build.index[p];
    Vec3<StateReal> x{s.x[i], s.y[i], s.z[i]}, v{s.vx[i], s.vy[i], s.vz[i]};
    kick_drift(t.begin, x, v, Vec3<StateReal>{s.ax[i], s.ay[i], s.az[i]});
    within = reflect_and_test_skin(t.build, p, x, v) && within;
    store_slot(t, 0, p, i, x, v);
  }
  return !within;
}

/// Forces at the positions of buffer `b`, then the moves after them, into the other buffer. `ends`:
/// the moves end a step; `last`: the last one, which is written to the state. `offender`: receives
/// the lowest index of a body that is not finite at the end of the step. True if a body has moved
/// more than half the skin.
template <PairTerms terms, bool uniform, int lanes, class Real, class StateReal>
__device__ __forceinline__ bool advance(const PersistentPairsTask<Real, StateReal>& t,
                                        GridStride range, int b, const MoveList<StateReal>& moves,
                                        bool ends, bool last, std::uint32_t* offender) {
  const StateView<StateReal>& s = t.build.s;
  DeviceNeighbourView<StateReal> neighbours = t.build.view;
  neighbours.position = t.position[b];
  bool within = true;
  for (Index k = range.first; k - threadIdx.x % 32 < s.count * lanes; k += range.stride) {
    const auto p = static_cast<int>(k / lanes);
    const int lane = static_cast<int>(k % lanes);
    const Vec3<Real> force = pair_forces<terms, uniform, lanes>(neighbours, t.pairs, p, lane);
    if (lane != 0 || p >= s.count) continue;
    const PositionAndKind<StateReal> position = t.position[b][p];
    const Motion<StateReal> motion = t.motion[b][p];
    Vec3<StateReal> x{position.x, position.y, position.z}, v{motion.x, motion.y, motion.z};
    const Vec3<StateReal> a{StateReal(0) + motion.inverse * static_cast<StateReal>(force.x),
                            StateReal(0) + motion.inverse * static_cast<StateReal>(force.y),
                            StateReal(0) + motion.inverse * static_cast<StateReal>(force.z)};
    kick_drift(moves, x, v, a);
    if (ends && !(all_finite(x) && all_finite(v) && all_finite(a)))
      atomicMin(offender, static_cast<unsigned>(t.build.index[p]));
    if (last) {
      const std::int32_t i = t.build.index[p];
      scatter(s, i, x, v);
      s.ax[i] = a.x, s.ay[i] = a.y, s.az[i] = a.z;
      if (b != 0) t.position[0][p] = position;  // later energy evaluations read this buffer
      continue;
    }
    if (ends) kick_drift(t.begin, x, v, a);
    within = reflect_and_test_skin(t.build, p, x, v) && within;
    t.position[1 - b][p] = {x.x, x.y, x.z, position.kind};
    t.motion[1 - b][p] = {v.x, v.y, v.z, motion.inverse};
  }
  return !within;
}

/// A thread that finds a non-finite body at the end of a step records its index and continues.
/// After the next barrier all threads see it and evaluate that force again, from the positions and
/// velocities still in the other buffer, to write the end of that step to the state.
template <PairTerms terms, bool uniform, int lanes, class Real, class StateReal>
__global__ void __launch_bounds__(neighbour_build::threads, 4)
    run_pair_steps(const __grid_constant__ PersistentPairsTask<Real, StateReal> t) {
  const auto grid = cooperative_groups::this_grid();
  const GridStride range{static_cast<Index>(blockIdx.x) * neighbour_build::threads + threadIdx.x,
                         static_cast<Index>(gridDim.x) * neighbour_build::threads};
  const neighbour_build::BuildControl* const control = t.build.control;
  if (range.first == 0) t.times[0] = engine::nanoseconds();
  bool left_skin = begin(t, range);
  std::uint64_t step = 0, number = t.first_force;
  for (int b = 0, force = 0; step < t.steps; b = 1 - b, ++number) {
    if (__syncthreads_or(left_skin) && threadIdx.x == 0) t.due[b] = number;
    grid.sync();
    std::uint32_t* const previous = &t.record->offender[(step + 1) % 2];
    if (step > 0 && force == 0 && *previous != no_offender) {
      advance<terms, uniform, lanes>(t, range, 1 - b, t.end, true, true, previous);
      break;
    }
    const bool moved = t.due[b] == number;
    if (moved || control->stale != 0) rebuild_between_forces<lanes>(t, range, b, moved);
    const bool ends = force + 1 == t.forces;
    left_skin =
        advance<terms, uniform, lanes>(t, range, b, ends ? t.end : t.between[force], ends,
                                       ends && step + 1 == t.steps, &t.record->offender[step % 2]);
    force = ends ? 0 : force + 1;
    step += ends ? 1 : 0;
  }
  if (range.first != 0) return;
  t.record->steps += step;
  t.times[1] = engine::nanoseconds();
}

}  // namespace

template <class Real>
struct PersistentPairs::Buffers {
  explicit Buffers(Index count) : position(count), motion{Buffer(count), Buffer(count)}, due(2) {}
  using Buffer = engine::Buffer<Motion<Real>, Device>;
  engine::Buffer<PositionAndKind<Real>, Device> position;
  Buffer motion[2];
  engine::Buffer<std::uint64_t, Device> due;
};

PersistentPairs::PersistentPairs(const Cuda& exec, const State<Device>& state,
                                 const DevicePairForce& force, const Step& stages)
    : force_(force),
      moves_(moves_of(stages)),
      multiprocessors_(engine::cooperative_multiprocessors(exec)) {
  if (state.precision() == Precision::single)
    single_ = std::make_unique<Buffers<float>>(state.count());
  else
    double_ = std::make_unique<Buffers<double>>(state.count());
  std::uint64_t* const due = single_ ? single_->due.data() : double_->due.data();
  engine::fill_bytes(due, 0, 2 * sizeof(std::uint64_t), exec.stream);
}
PersistentPairs::~PersistentPairs() = default;

std::uint64_t PersistentPairs::device_bytes(Index count, Precision precision) {
  return static_cast<std::uint64_t>(count) * 3 * 4 *
         (precision == Precision::single ? sizeof(float) : sizeof(double));
}

bool PersistentPairs::run(const Cuda& exec, State<Device>& state, const StepsToTake& steps,
                          engine::KernelClock& clock) {
  if (moves_.size() > std::size_t{most_forces} + 1)
    throw std::length_error("a persistent pair kernel takes up to " + std::to_string(most_forces) +
                            " forces per step, not " + std::to_string(moves_.size() - 1));
  if (steps.steps == 0) return true;  // the first moves belong to a step
  const auto start = [&]<class Real, class StateReal>(const StateView<StateReal>& s,
                                                      const PairCoefficientsView<Real>& pairs,
                                                      Buffers<StateReal>& buffers) {
    PersistentPairsTask<Real, StateReal> task{};
    task.build = force_.neighbours().build_task(s);
    const int lanes = task.build.view.lanes;
    MOTE_EXPECT(lanes == 4 || lanes == 8);
    task.pairs = pairs;
    task.forces = static_cast<int>(moves_.size()) - 1;
    const auto moves = [&](const Moves& of) {
      return move_list<StateReal>(move_fractions(of.moves), steps.dt);
    };
    task.begin = moves(moves_.front());
    for (int k = 1; k < task.forces; ++k)
      task.between[k - 1] = moves(moves_[static_cast<std::size_t>(k)]);
    task.end = moves(moves_.back());
    task.position[0] = task.build.position, task.position[1] = buffers.position.data();
    task.motion[0] = buffers.motion[0].data(), task.motion[1] = buffers.motion[1].data();
    task.due = buffers.due.data();
    task.first_force = next_force_;
    next_force_ += steps.steps * static_cast<std::uint64_t>(task.forces);
    task.steps = steps.steps;
    task.record = steps.record;
    task.times = clock.timestamps();
    with_terms(force_.table().terms, [&](auto terms) {
      const auto launch = [&](auto kernel) {
        const std::size_t shared = neighbour_build::shared_bytes(lanes);
        engine::allow_shared(kernel, shared);
        const int resident = engine::resident_blocks(kernel, neighbour_build::threads, shared);
        const Index blocks =
            (s.count * lanes + neighbour_build::threads - 1) / neighbour_build::threads;
        const Index fit = std::max(1, resident * multiprocessors_);
        engine::launch_cooperative(exec,
                                   {.blocks = static_cast<unsigned>(std::min(blocks, fit)),
                                    .threads = neighbour_build::threads,
                                    .shared = shared},
                                   kernel, task);
      };
      const auto with = [&](auto lanes_per_body) {
        with_uniform<terms(), StateReal>(force_.table().kinds, [&](auto uniform) {
          launch(run_pair_steps<terms(), uniform(), lanes_per_body(), Real, StateReal>);
        });
      };
      if (lanes == 4)
        with(std::integral_constant<int, 4>{});
      else
        with(std::integral_constant<int, 8>{});
    });
  };
  state.visit([&]<class StateReal>(const StateView<StateReal>& s) {
    if constexpr (std::is_same_v<StateReal, float>) {
      start(s, force_.coefficients<float>(), *single_);
    } else {
      if (state.precision() == Precision::double_)
        start(s, force_.coefficients<double>(), *double_);
      else
        start(s, force_.coefficients<float>(), *double_);
    }
  });
  return true;
}

}  // namespace mote::sim
