#pragma once

#include <cooperative_groups.h>

#include "engine/exec/cluster.cuh"
#include "engine/exec/launch.cuh"
#include "sim/gravity/gather.cuh"
#include "sim/motion/motion_formula.h"
#include "sim/run/cooperative.h"

namespace mote::sim {

using direct::Pairs;
using direct::Precision;
using direct::SourceView;
using engine::Vec3;
using engine::Vec3d;

/// What a step consists of, in a form that kernels read: stages with their factors of time in the state's numbers.
template <class Real>
struct StageList {
  int count;
  StageKind kind[largest_stage_count];
  Real h[largest_stage_count];
};

/// Everything that many steps in one kernel need.
template <Precision precision>
struct StepsTask {
  using Real = typename Pairs<precision>::Real;
  StateView<Real> state;
  StageList<Real> stages;
  const int* slots;  ///< which source a body is, or -1; null when body i is source i
  double gravitational;
  typename Pairs<precision>::Term squared_softening;
  std::uint64_t steps;
  SourceView<precision>
      sources;  ///< two of them, one behind the other, taken in turns: one barrier a force is enough
  DeviceRecord* record;
  Real* rows;  ///< places and velocities behind steps first_row, first_row + row_every, ...
  std::uint64_t first_row, row_every;  ///< 0, 0: none
};

/// Sources in device memory, one barrier over the whole grid: for as many bodies as the grid's warps can own.
template <Precision precision>
class GridExchange {
 public:
  using Word = typename Pairs<precision>::Word;
  __device__ explicit GridExchange(const StepsTask<precision>& task) : sources_(task.sources) {}
  /// All lanes of a warp come together; lane `owner` has the body.
  template <class Real>
  __device__ void publish(int turn, int lane, int owner, int slot, Vec3<Real> x, Real mass) {
    if (lane == owner && slot >= 0) of(turn).put(slot, x, mass);
  }
  __device__ void start() {}
  __device__ void wait() { cooperative_groups::this_grid().sync(); }
  template <Guard guard, int bodies>
  __device__ void forces(int turn, int lane, const typename Pairs<precision>::Body (&body)[bodies],
                         typename Pairs<precision>::Term squared_softening, Vec3d (&total)[bodies]) {
    direct::gather_all<precision, guard>(of(turn), engine::shared_memory<Word>(), lane, body,
                                         squared_softening, total);
  }

 private:
  __device__ SourceView<precision> of(int turn) const {
    return {sources_.words + turn * Pairs<precision>::words * sources_.padded, sources_.count,
            sources_.padded};
  }
  SourceView<precision> sources_;
};

/// Sources in the shared memory of every block of one cluster, each body written to all of them by its owner; one
/// barrier over the cluster. For few bodies.
template <Precision precision>
class ClusterExchange {
 public:
  using Word = typename Pairs<precision>::Word;
  __device__ explicit ClusterExchange(const StepsTask<precision>& task)
      : count_(task.sources.count), padded_(task.sources.padded), shared_(engine::shared_memory<Word>()) {}
  /// Nobody may write to a block that has not begun.
  __device__ void start() { wait(); }
  template <class Real>
  __device__ void publish(int turn, int lane, int owner, int slot, Vec3<Real> x, Real mass) {
    slot = __shfl_sync(engine::whole_warp, slot, owner);
    x = {__shfl_sync(engine::whole_warp, x.x, owner), __shfl_sync(engine::whole_warp, x.y, owner),
         __shfl_sync(engine::whole_warp, x.z, owner)};
    mass = __shfl_sync(engine::whole_warp, mass, owner);
    if (slot >= 0 && lane < cluster_.blocks())
      SourceView<precision>{cluster_.at(of(turn), lane), count_, padded_}.put(slot, x, mass);
  }
  __device__ void wait() { cluster_.sync(); }
  template <Guard guard, int bodies>
  __device__ void forces(int turn, int lane, const typename Pairs<precision>::Body (&body)[bodies],
                         typename Pairs<precision>::Term squared_softening, Vec3d (&total)[bodies]) {
    using Term = typename Pairs<precision>::Term;
    static_assert(largest_cluster_count <=
                  direct::flush_sources);  // one flush: the sums of all kinds of stepping
    const SourceView<precision> sources{of(turn), count_, padded_};
    Vec3<Term> sum[bodies]{};
    for (int k = 0; k < bodies; ++k) total[k] = {0, 0, 0};
    direct::gather<precision, guard>(sources.first(), sources.second(), count_, lane, body, squared_softening,
                                     sum);
    direct::flush(sum, total);
    direct::sum_over_lanes(total);
  }

 private:
  __device__ Word* of(int turn) { return shared_ + turn * padded_ * Pairs<precision>::words; }
  engine::Cluster cluster_;
  int count_, padded_;
  Word* shared_;
};

template <class Real>
__device__ __forceinline__ Vec3<Real> moved(Vec3<Real> x, Vec3<Real> rate, Real h, bool drifts) {
  return drifts ? Vec3<Real>{drift(x.x, rate.x, h), drift(x.y, rate.y, h), drift(x.z, rate.z, h)}
                : Vec3<Real>{kick(x.x, rate.x, h), kick(x.y, rate.y, h), kick(x.z, rate.z, h)};
}

template <class Real>
__device__ __forceinline__ bool is_finite(Vec3<Real> v) {
  return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

/// Whole steps of a scene in one kernel. Lane k < `bodies` of a warp owns its k-th body: place, velocity and
/// acceleration stay in its registers from the first step to the last; the whole warp sums the forces on them. A step
/// does what its list of stages says, in the same order and the same roundings as one kernel a stage would.
///
/// Measurements: behind a step at which one falls due, the owners leave places and velocities in memory and go on.
///
/// Health: who finds a body that is not finite at the end of a step writes it down before the next barrier; behind it
/// everybody sees it, takes back what the step has moved, and leaves. The two places for it take turns, so that the
/// next step's entry cannot be seen early: a block writes there only after the next barrier but one.
template <Precision precision, Guard guard, int bodies, class Exchange>
__global__ void __launch_bounds__(cooperative_threads) take_steps(StepsTask<precision> task) {
  using P = Pairs<precision>;
  using Real = typename P::Real;
  const StateView<Real>& s = task.state;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int own = warp * bodies + lane;
  const bool owns = lane < bodies && own < s.count;
  Exchange exchange(task);
  exchange.start();

  Vec3<Real> x{}, v{}, a{};
  Real mass = 0;
  int slot = -1;
  if (owns) {
    x = {s.x[own], s.y[own], s.z[own]};
    v = {s.vx[own], s.vy[own], s.vz[own]};
    a = {s.ax[own], s.ay[own], s.az[own]};
    mass = s.mass[own];
    slot = task.slots ? task.slots[own] : own;
  }
  int turn = 0;
  std::uint64_t step = 0, next_row = task.first_row;
  Real* row = task.rows;
  bool healthy = true;
  for (; step < task.steps; ++step) {
    const Vec3<Real> x_before = x, v_before = v;
    bool first_force = step > 0;
    for (int stage = 0; stage < task.stages.count && healthy; ++stage) {
      const Real h = task.stages.h[stage];
      if (task.stages.kind[stage] == StageKind::kick) {
        v = moved(v, a, h, false);
        continue;
      }
      if (task.stages.kind[stage] == StageKind::drift) {
        x = moved(x, v, h, true);
        continue;
      }
#pragma unroll
      for (int k = 0; k < bodies; ++k) exchange.publish(turn, lane, k, slot, x, mass);
      exchange.wait();
      unsigned offender = no_offender;
      if (first_force) offender = *const_cast<volatile unsigned*>(&task.record->offender[(step - 1) & 1]);
      first_force = false;
      typename P::Body body[bodies];
#pragma unroll
      for (int k = 0; k < bodies; ++k) {
        typename P::Word first, second{};
        P::words_of({__shfl_sync(engine::whole_warp, x.x, k), __shfl_sync(engine::whole_warp, x.y, k),
                     __shfl_sync(engine::whole_warp, x.z, k)},
                    Real(0), first, second);
        body[k] = P::body(first, second);
      }
      Vec3d total[bodies];
      exchange.template forces<guard>(turn, lane, body, task.squared_softening, total);
      turn ^= 1;
      if (offender != no_offender) {
        healthy = false;
        break;
      }
#pragma unroll
      for (int k = 0; k < bodies; ++k)
        if (lane == k)
          a = {Real(0) + static_cast<Real>(task.gravitational * total[k].x),
               Real(0) + static_cast<Real>(task.gravitational * total[k].y),
               Real(0) + static_cast<Real>(task.gravitational * total[k].z)};
    }
    if (!healthy) {
      x = x_before;
      v = v_before;
      break;
    }
    if (owns && !(is_finite(x) && is_finite(v) && is_finite(a)))
      atomicMin(&task.record->offender[step & 1], static_cast<unsigned>(own));
    if (step + 1 == next_row) {
      if (owns) {
        row[own] = x.x, row[s.count + own] = x.y, row[2 * s.count + own] = x.z;
        row[3 * s.count + own] = v.x, row[4 * s.count + own] = v.y, row[5 * s.count + own] = v.z;
      }
      row += 6 * s.count;
      next_row += task.row_every;
    }
  }
  if (owns) {
    s.x[own] = x.x, s.y[own] = x.y, s.z[own] = x.z;
    s.vx[own] = v.x, s.vy[own] = v.y, s.vz[own] = v.z;
    s.ax[own] = a.x, s.ay[own] = a.y, s.az[own] = a.z;
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) task.record->steps += step;
  exchange.wait();  // no block may leave while another still writes into its shared memory
}

}  // namespace mote::sim
