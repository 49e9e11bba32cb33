#pragma once

#include "engine/algo/warp.cuh"
#include "sim/run/exchange.cuh"

namespace mote::sim {

/// Whole steps of a scene in one kernel. Lane k < `bodies` of a warp owns its k-th body: place,
/// velocity and acceleration stay in its registers from the first step to the last; the whole warp
/// sums the forces on them. A step does what its list of stages says, in the same order and the
/// same roundings as one kernel a stage would.
///
/// Measurements: behind a step at which one falls due, the owners leave places and velocities in
/// memory and go on.
///
/// Health: who finds a body that is not finite at the end of a step writes it down and says so with
/// the body's next place; all blocks learn it with the next force, take back what the step has
/// moved, and leave. The two places for it take turns, so that the next step's entry cannot be seen
/// early: a block writes there only after everybody has met once more.
template <Precision precision, Guard guard, int bodies, class Exchange>
__global__ void __launch_bounds__(Exchange::threads, 1) take_steps(StepsTask<precision> task) {
  using P = Pairs<precision>;
  using Real = typename P::Real;
  const StateView<Real>& s = task.state;
  if (blockIdx.x == 0 && threadIdx.x == 0) task.times[0] = engine::nanoseconds();
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) / 32;
  // The other lanes go along with the first body, so that a warp of one body need not be told where
  // it is.
  const int own = warp * bodies + (lane < bodies ? lane : 0);
  const bool exists = own < s.count, owns = exists && lane < bodies;
  Exchange exchange(task);
  exchange.start();

  Vec3<Real> x{}, v{}, a{};
  Real mass = 0;
  int slot = -1;
  if (exists) {
    x = {s.x[own], s.y[own], s.z[own]};
    v = {s.vx[own], s.vy[own], s.vz[own]};
    a = {s.ax[own], s.ay[own], s.az[own]};
    mass = s.mass[own];
    if (owns) slot = task.slots ? task.slots[own] : own;
  }
  std::uint64_t step = 0, next_row = task.first_row;
  Real* row = task.rows;
  bool healthy = true, bad = false;
  const int leaps = task.leaps.count;
  const Real last_kick = task.leaps.kick[leaps];
  Real kick_h = task.leaps.kick[0], drift_h = task.leaps.drift[0];
  for (; step < task.steps; ++step) {
    const Vec3<Real> x_before = x, v_before = v;
    for (int leap = 0; leap < leaps; ++leap) {
      v = kicked(v, a, kick_h);
      x = drifted(x, v, drift_h);
      const int next = leap + 1 < leaps ? leap + 1 : 0;
      kick_h = task.leaps.kick[next];  // on their way while forces are summed
      drift_h = task.leaps.drift[next];
      exchange.template publish<bodies>(lane, slot, x, mass, bad);
      typename P::Body body[bodies];
#pragma unroll
      for (int k = 0; k < bodies; ++k) {
        const auto of_owner = [&](Real value) {
          return bodies == 1 ? value : __shfl_sync(engine::whole_warp, value, k);
        };
        typename P::Word first, second{};
        P::words_of({of_owner(x.x), of_owner(x.y), of_owner(x.z)}, Real(0), first, second);
        body[k] = P::body(first, second);
      }
      Vec3<Total<precision>> total[bodies];
      const bool of_last_step = step > 0 && leap == 0;
      const unsigned* const entry = of_last_step ? &task.record->offender[(step - 1) & 1] : nullptr;
      if (exchange.template forces<guard>(lane, body, task.squared_softening, total, entry)) {
        healthy = false;
        break;
      }
      Vec3<Total<precision>> mine = total[0];
#pragma unroll
      for (int k = 1; k < bodies; ++k)
        if (lane == k) mine = total[k];
      a = {Real(0) + task.gravitational(mine.x), Real(0) + task.gravitational(mine.y),
           Real(0) + task.gravitational(mine.z)};
    }
    if (!healthy) {
      x = x_before;
      v = v_before;
      break;
    }
    v = kicked(v, a, last_kick);
    bad = owns && zeros(x, zeros(v, zeros(a, Real(0)))) != 0;
    if (bad) atomicMin(&task.record->offender[step & 1], static_cast<unsigned>(own));
    if (step + 1 == next_row) {
      if (owns) leave_row(row, s.count, own, x, v);
      row += 6 * s.count;
      next_row += task.row_every;
    }
  }
  if (owns) put_back(s, own, x, v, a);
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    task.record->steps += step;
    task.times[1] = engine::nanoseconds();
  }
  exchange.finish();
}

}  // namespace mote::sim
