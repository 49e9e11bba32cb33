#pragma once

#include "engine/algo/warp.cuh"
#include "sim/gravity/module/position_exchange.cuh"

namespace mote::sim {

/// Persistent kernel that runs all steps of a launch. Lane k < `bodies` of a warp owns the warp's
/// k-th body: position, velocity and acceleration stay in its registers from the first step to the
/// last; the whole warp sums the forces on its bodies. The stages run in the same order and with
/// the same rounding as one kernel per stage.
///
/// Measurements: after a step that is to be measured, the owners store positions and velocities and
/// continue.
///
/// Health: a thread that finds its body non-finite at the end of a step records its index and flags
/// the body's next published position. All blocks see it with the next force, undo the current
/// step's moves and exit. Two entries of the record alternate, so that the next step's entry cannot
/// be seen early: a block writes it only after one more exchange with all others.
template <Precision precision, ZeroDistance guard, int bodies, class Exchange>
__global__ void __launch_bounds__(Exchange::threads, 1) run_steps(StepsTask<precision> task) {
  using P = Pairs<precision>;
  using Real = typename P::Real;
  const StateView<Real>& s = task.state;
  if (blockIdx.x == 0 && threadIdx.x == 0) task.times[0] = engine::nanoseconds();
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) / 32;
  // The remaining lanes duplicate the first body, so that a warp of one body needs no shuffle.
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
    if (owns) slot = task.slots ? task.slots[own] : task.first_slot + own;
  }
  std::uint64_t step = 0, next_sample = task.first_sample;
  Real* sample = task.samples;
  bool healthy = true, not_finite = false;
  const int forces = task.leaps.count;
  const Real last_kick = task.leaps.kick[forces];
  Real kick_h = task.leaps.kick[0], drift_h = task.leaps.drift[0];
  for (; step < task.steps; ++step) {
    const Vec3<Real> x_before = x, v_before = v;
    for (int force = 0; force < forces; ++force) {
      v = kick(v, a, kick_h);
      x = drift(x, v, drift_h);
      const int next = force + 1 < forces ? force + 1 : 0;
      kick_h = task.leaps.kick[next];  // prefetched while forces are summed
      drift_h = task.leaps.drift[next];
      exchange.template publish<bodies>(lane, slot, x, mass, not_finite);
      typename P::Body body[bodies];
#pragma unroll
      for (int k = 0; k < bodies; ++k) {
        const auto of_owner = [&](Real value) {
          return bodies == 1 ? value : __shfl_sync(engine::all_lanes, value, k);
        };
        typename P::Word first, second{};
        P::words_of({of_owner(x.x), of_owner(x.y), of_owner(x.z)}, Real(0), first, second);
        body[k] = P::body(first, second);
      }
      Vec3<Total<precision>> total[bodies];
      const bool check_last = step > 0 && force == 0;
      const unsigned* const entry = check_last ? &task.record->offender[(step - 1) & 1] : nullptr;
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
    v = kick(v, a, last_kick);
    not_finite = owns && zero_if_finite(x, zero_if_finite(v, zero_if_finite(a, Real(0)))) != 0;
    if (not_finite) atomicMin(&task.record->offender[step & 1], static_cast<unsigned>(own));
    if (step + 1 == next_sample) {
      if (owns) store_sample(sample, s.count, own, x, v);
      sample += 6 * s.count;
      next_sample += task.sample_every;
    }
  }
  if (owns) store_body(s, own, x, v, a);
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    atomicAdd(count_of(task.record->steps), static_cast<unsigned long long>(step));
    task.times[1] = engine::nanoseconds();
  }
  exchange.finish();
}

}  // namespace mote::sim
