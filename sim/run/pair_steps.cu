#include "sim/run/pair_steps.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "engine/exec/launch.cuh"
#include "engine/exec/stamped.cuh"
#include "engine/exec/together.h"
#include "sim/molecular/mass_formula.h"
#include "sim/molecular/pair_loops.cuh"
#include "sim/motion/motion_formula.h"
#include "sim/motion/move_list.h"
#include "sim/space/listing.cuh"

namespace mote::sim {
namespace {

using engine::Cuda;
using engine::Device;
using engine::Index;
using engine::Precision;
using engine::Vec3;
using listing::Listing;
using listing::Share;

constexpr int most_forces = 8;  // of a step

template <class Real>
struct alignas(4 * sizeof(Real)) Motion {
  Real x, y, z;  ///< velocity
  Real inverse;  ///< 1 / mass, 0 for none
};

template <class Real, class StateReal>
struct PairStepsTask {
  Listing<StateReal> listing;
  PairCoefficientsView<Real> pairs;
  int forces;
  MoveList<StateReal> begin, between[most_forces],
      end;                       ///< of a step; `between`: behind each force but the last
  PlaceOf<StateReal>* place[2];  ///< by place; the first is that of the neighbours
  Motion<StateReal>* motion[2];  ///< by place
  /// Which force, counted through all launches, finds that lists are due: two that take turns, for
  /// a block may be at the next one before another has looked.
  std::uint64_t* due;
  std::uint64_t first_force, steps;
  DeviceRecord* record;
  std::uint64_t* times;  ///< of a KernelClock
};

template <class Real>
__device__ __forceinline__ void leap(const MoveList<Real>& all, Vec3<Real>& x, Vec3<Real>& v,
                                     const Vec3<Real>& a) {
  for (int k = 0; k < all.count; ++k) {
    const Real h = all.h[k];
    if (all.drifts[k])
      x = {drift(x.x, v.x, h), drift(x.y, v.y, h), drift(x.z, v.z, h)};
    else
      v = {kick(v.x, a.x, h), kick(v.y, a.y, h), kick(v.z, a.z, h)};
  }
}

template <class Real>
__device__ __forceinline__ bool all_finite(const Vec3<Real>& v) {
  return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

/// Behind drifts: throws a body back from walls, and says whether it has used up its part of the
/// skin.
template <class Real>
__device__ __forceinline__ bool settled(const Listing<Real>& l, Index p, Vec3<Real>& x,
                                        Vec3<Real>& v) {
  Real* const place[3] = {&x.x, &x.y, &x.z};
  Real* const speed[3] = {&v.x, &v.y, &v.z};
#pragma unroll
  for (int axis = 0; axis < 3; ++axis) {
    if (!l.domain.walled[axis]) continue;
    const double from = listing::along(l.domain.low, axis);
    const Bounced<Real> b =
        bounced(*place[axis], *speed[axis], static_cast<Real>(from),
                static_cast<Real>(from + listing::along(l.domain.length, axis)));
    if (b.place != *place[axis]) *place[axis] = b.place, *speed[axis] = b.velocity;
  }
  const PlaceOf<Real> before = l.listed[p];
  const Real dx = x.x - before.x, dy = x.y - before.y, dz = x.z - before.z;
  return dx * dx + dy * dy + dz * dz <= l.squared_way;
}

/// A body of the state at a place.
template <class Real, class StateReal>
__device__ __forceinline__ void put(const PairStepsTask<Real, StateReal>& t, int b, Index p,
                                    std::int32_t i, const Vec3<StateReal>& x,
                                    const Vec3<StateReal>& v) {
  const StateView<StateReal>& s = t.listing.s;
  t.place[b][p] = {x.x, x.y, x.z, s.species ? s.species[i] : 0};
  t.motion[b][p] = {v.x, v.y, v.z, inverse_mass(s.mass[i])};
}

/// From columns of the state to the order of places.
template <class Real, class StateReal>
__device__ void take_order(const PairStepsTask<Real, StateReal>& t, Share share, int b) {
  const StateView<StateReal>& s = t.listing.s;
  for (Index p = share.first; p < s.count; p += share.stride) {
    const std::int32_t i = t.listing.column[p];
    put(t, b, p, i, {s.x[i], s.y[i], s.z[i]}, {s.vx[i], s.vy[i], s.vz[i]});
  }
}

/// Back to the columns.
template <class Place, class Velocity, class Real>
__device__ __forceinline__ void give_back(const StateView<Real>& s, std::int32_t i, const Place& x,
                                          const Velocity& v) {
  s.x[i] = x.x, s.y[i] = x.y, s.z[i] = x.z;
  s.vx[i] = v.x, s.vy[i] = v.y, s.vz[i] = v.z;
}
template <class Real, class StateReal>
__device__ void give_back(const PairStepsTask<Real, StateReal>& t, Share share, int b) {
  const StateView<StateReal>& s = t.listing.s;
  for (Index p = share.first; p < s.count; p += share.stride) {
    const PlaceOf<StateReal> x = t.place[b][p];
    const Motion<StateReal> v = t.motion[b][p];
    give_back(s, t.listing.column[p], x, v);
  }
}

/// Lists everybody anew. It is rare and large, and has no part in the registers of the rest.
template <int lanes, class Real, class StateReal>
__device__ __noinline__ void list_in_between(const PairStepsTask<Real, StateReal>& t, Share share,
                                             int b, bool moved) {
  const auto grid = cooperative_groups::this_grid();
  give_back(t, share, b);
  grid.sync();
  listing::list_anew<lanes>(t.listing, grid, share, engine::shared_memory<int>(), moved);
  take_order(t, share, b);
  grid.sync();
}

/// The first moves of the first step; whether somebody has moved too far.
template <class Real, class StateReal>
__device__ bool begin(const PairStepsTask<Real, StateReal>& t, Share share) {
  const StateView<StateReal>& s = t.listing.s;
  bool near = true;
  for (Index p = share.first; p < s.count; p += share.stride) {
    const std::int32_t i = t.listing.column[p];
    Vec3<StateReal> x{s.x[i], s.y[i], s.z[i]}, v{s.vx[i], s.vy[i], s.vz[i]};
    leap(t.begin, x, v, Vec3<StateReal>{s.ax[i], s.ay[i], s.az[i]});
    near = settled(t.listing, p, x, v) && near;
    put(t, 0, p, i, x, v);
  }
  return !near;
}

/// Forces at the places `b`, and the moves behind them, to the others. `ends`: a step; `leaves`:
/// and is the last, which goes to the state. `offender`: the first column that is not finite at its
/// end. Whether somebody has moved too far.
template <PairTerms terms, bool uniform, int lanes, class Real, class StateReal>
__device__ __forceinline__ bool advance(const PairStepsTask<Real, StateReal>& t, Share share, int b,
                                        const MoveList<StateReal>& moves, bool ends, bool leaves,
                                        std::uint32_t* offender) {
  const StateView<StateReal>& s = t.listing.s;
  DeviceNeighbourView<StateReal> near = t.listing.near;
  near.place = t.place[b];
  bool close = true;
  for (Index k = share.first; k - threadIdx.x % 32 < s.count * lanes; k += share.stride) {
    const auto p = static_cast<int>(k / lanes);
    const int lane = static_cast<int>(k % lanes);
    const Vec3<Real> force = pair_forces<terms, uniform, lanes>(near, t.pairs, p, lane);
    if (lane != 0 || p >= s.count) continue;
    const PlaceOf<StateReal> place = t.place[b][p];
    const Motion<StateReal> motion = t.motion[b][p];
    Vec3<StateReal> x{place.x, place.y, place.z}, v{motion.x, motion.y, motion.z};
    const Vec3<StateReal> a{StateReal(0) + motion.inverse * static_cast<StateReal>(force.x),
                            StateReal(0) + motion.inverse * static_cast<StateReal>(force.y),
                            StateReal(0) + motion.inverse * static_cast<StateReal>(force.z)};
    leap(moves, x, v, a);
    if (ends && !(all_finite(x) && all_finite(v) && all_finite(a)))
      atomicMin(offender, static_cast<unsigned>(t.listing.column[p]));
    if (leaves) {
      const std::int32_t i = t.listing.column[p];
      give_back(s, i, x, v);
      s.ax[i] = a.x, s.ay[i] = a.y, s.az[i] = a.z;
      if (b != 0) t.place[0][p] = place;  // for whoever asks for energies
      continue;
    }
    if (ends) leap(t.begin, x, v, a);
    close = settled(t.listing, p, x, v) && close;
    t.place[1 - b][p] = {x.x, x.y, x.z, place.kind};
    t.motion[1 - b][p] = {v.x, v.y, v.z, motion.inverse};
  }
  return !close;
}

/// Who finds a body that is not finite at the end of a step writes it down and goes on. Behind the
/// next barrier all know, and evaluate that force once more, from places and velocities that still
/// stand there, to leave the step's end in the state.
template <PairTerms terms, bool uniform, int lanes, class Real, class StateReal>
__global__ void __launch_bounds__(listing::threads, 4)
    take_pair_steps(const __grid_constant__ PairStepsTask<Real, StateReal> t) {
  const auto grid = cooperative_groups::this_grid();
  const Share share{static_cast<Index>(blockIdx.x) * listing::threads + threadIdx.x,
                    static_cast<Index>(gridDim.x) * listing::threads};
  const listing::Control* const control = t.listing.control;
  if (share.first == 0) t.times[0] = engine::nanoseconds();
  bool far = begin(t, share);
  std::uint64_t step = 0, number = t.first_force;
  for (int b = 0, force = 0; step < t.steps; b = 1 - b, ++number) {
    if (__syncthreads_or(far) && threadIdx.x == 0) t.due[b] = number;
    grid.sync();
    std::uint32_t* const before = &t.record->offender[(step + 1) % 2];
    if (step > 0 && force == 0 && *before != no_offender) {
      advance<terms, uniform, lanes>(t, share, 1 - b, t.end, true, true, before);
      break;
    }
    const bool moved = t.due[b] == number;
    if (moved || control->stale != 0) list_in_between<lanes>(t, share, b, moved);
    const bool ends = force + 1 == t.forces;
    far =
        advance<terms, uniform, lanes>(t, share, b, ends ? t.end : t.between[force], ends,
                                       ends && step + 1 == t.steps, &t.record->offender[step % 2]);
    force = ends ? 0 : force + 1;
    step += ends ? 1 : 0;
  }
  if (share.first != 0) return;
  t.record->steps += step;
  t.times[1] = engine::nanoseconds();
}

}  // namespace

template <class Real>
struct PairSteps::Columns {
  explicit Columns(Index count) : place(count), motion{Buffer(count), Buffer(count)}, due(2) {}
  using Buffer = engine::Buffer<Motion<Real>, Device>;
  engine::Buffer<PlaceOf<Real>, Device> place;
  Buffer motion[2];
  engine::Buffer<std::uint64_t, Device> due;
};

PairSteps::PairSteps(const Cuda& exec, Index count, Precision precision,
                     const DevicePairForce& force, const std::vector<Moves>& moves)
    : force_(force), moves_(moves), multiprocessors_(engine::multiprocessors_together(exec)) {
  if (precision == Precision::single)
    single_ = std::make_unique<Columns<float>>(count);
  else
    full_ = std::make_unique<Columns<double>>(count);
  std::uint64_t* const due = single_ ? single_->due.data() : full_->due.data();
  engine::fill_bytes(due, 0, 2 * sizeof(std::uint64_t), exec.stream);
}
PairSteps::PairSteps(PairSteps&&) noexcept = default;
PairSteps::~PairSteps() = default;

std::uint64_t PairSteps::device_bytes(Index count, Precision precision) {
  return static_cast<std::uint64_t>(count) * 3 * 4 *
         (precision == Precision::single ? sizeof(float) : sizeof(double));
}

void PairSteps::run(const Cuda& exec, State<Device>& state, std::uint64_t steps,
                    DeviceRecord* record, KernelClock& clock) {
  if (moves_.size() > std::size_t{most_forces} + 1)
    throw std::length_error("whole steps of pairs take up to " + std::to_string(most_forces) +
                            " forces a step, not " + std::to_string(moves_.size() - 1));
  const auto start = [&]<class Real, class StateReal>(const StateView<StateReal>& s,
                                                      const PairCoefficientsView<Real>& pairs,
                                                      Columns<StateReal>& columns) {
    PairStepsTask<Real, StateReal> task{};
    task.listing = force_.near().to_list(s);
    const int lanes = task.listing.near.lanes;
    MOTE_EXPECT(lanes == 4 || lanes == 8);
    task.pairs = pairs;
    task.forces = static_cast<int>(moves_.size()) - 1;
    task.begin = move_list<StateReal>(moves_.front().moves);
    for (int k = 1; k < task.forces; ++k)
      task.between[k - 1] = move_list<StateReal>(moves_[static_cast<std::size_t>(k)].moves);
    task.end = move_list<StateReal>(moves_.back().moves);
    task.place[0] = task.listing.now, task.place[1] = columns.place.data();
    task.motion[0] = columns.motion[0].data(), task.motion[1] = columns.motion[1].data();
    task.due = columns.due.data();
    task.first_force = next_force_;
    next_force_ += steps * static_cast<std::uint64_t>(task.forces);
    task.steps = steps;
    task.record = record;
    task.times = clock.places();
    with_terms(force_.table().terms, [&](auto terms) {
      const auto launch = [&](auto kernel) {
        const std::size_t shared = listing::shared_bytes(lanes);
        engine::allow_shared(kernel, shared);
        const int resident = engine::resident_blocks(kernel, listing::threads, shared);
        const Index blocks = (s.count * lanes + listing::threads - 1) / listing::threads;
        const Index fit = std::max(1, resident * multiprocessors_);
        engine::launch_together(exec,
                                {.blocks = static_cast<unsigned>(std::min(blocks, fit)),
                                 .threads = listing::threads,
                                 .shared = shared},
                                kernel, task);
      };
      const auto with = [&](auto of_place) {
        with_uniform<terms(), StateReal>(force_.table().kinds, [&](auto uniform) {
          launch(take_pair_steps<terms(), uniform(), of_place(), Real, StateReal>);
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
      if (state.precision() == Precision::full)
        start(s, force_.coefficients<double>(), *full_);
      else
        start(s, force_.coefficients<float>(), *full_);
    }
  });
}

}  // namespace mote::sim
