#pragma once

#include "engine/exec/stamped.cuh"
#include "sim/gravity/gather.cuh"
#include "sim/motion/motion_formula.h"
#include "sim/run/cooperative.h"
#include "sim/step.h"

namespace mote::sim {

using direct::Pairs;
using direct::Precision;
using direct::SourceView;
using direct::Total;
using engine::Vec3;

template <class Real>
__device__ __forceinline__ Vec3<Real> kicked(Vec3<Real> v, Vec3<Real> a, Real h) {
  return {kick(v.x, a.x, h), kick(v.y, a.y, h), kick(v.z, a.z, h)};
}
template <class Real>
__device__ __forceinline__ Vec3<Real> drifted(Vec3<Real> x, Vec3<Real> v, Real h) {
  return {drift(x.x, v.x, h), drift(x.y, v.y, h), drift(x.z, v.z, h)};
}

/// Zero times a number is zero where the number is finite.
template <class Real>
__device__ __forceinline__ Real zeros(Vec3<Real> v, Real sum) {
  using N = engine::Number<Real>;
  return N::multiply_add(v.x, Real(0),
                         N::multiply_add(v.y, Real(0), N::multiply_add(v.z, Real(0), sum)));
}

/// A step in a form that kernels read quickly: kick, drift and force `count` times, and a kick at
/// the end.
template <class Real>
struct Leaps {
  int count;
  Real kick[largest_force_count + 1],
      drift[largest_force_count];  ///< fractions of the time step times the step
};

/// Everything that many steps in one kernel need.
template <Precision precision>
struct StepsTask {
  using Real = typename Pairs<precision>::Real;
  StateView<Real> state;
  Leaps<Real> leaps;
  const int* slots;  ///< which source a body is, or -1; null when body i is source i
  direct::Factor<precision> gravitational;
  typename Pairs<precision>::Term squared_softening;
  std::uint64_t steps;
  SourceView<precision> sources;  ///< two of them, one behind the other, taken in turns
                                  ///< (GridExchange)
  engine::Stamped* packets;       ///< two sets of sources in turns (StampExchange)
  unsigned first_stamp;           ///< of the first force
  DeviceRecord* record;
  Real* rows;  ///< places and velocities behind steps first_row, first_row + row_every, ...
  std::uint64_t first_row, row_every;  ///< 0, 0: none
  std::uint64_t* times = nullptr;      ///< of a KernelClock
};

/// What the owner of a body leaves of it: in a row for measurements, and in the state at the end.
template <class Real>
__device__ __forceinline__ void leave_row(Real* row, engine::Index count, int own, Vec3<Real> x,
                                          Vec3<Real> v) {
  row[own] = x.x, row[count + own] = x.y, row[2 * count + own] = x.z;
  row[3 * count + own] = v.x, row[4 * count + own] = v.y, row[5 * count + own] = v.z;
}
template <class Real>
__device__ __forceinline__ void put_back(const StateView<Real>& s, int own, Vec3<Real> x,
                                         Vec3<Real> v, Vec3<Real> a) {
  s.x[own] = x.x, s.y[own] = x.y, s.z[own] = x.z;
  s.vx[own] = v.x, s.vy[own] = v.y, s.vz[own] = v.z;
  s.ax[own] = a.x, s.ay[own] = a.y, s.az[own] = a.z;
}

template <class Real>
Leaps<Real> leaps_of(const Step& stages, double dt) {
  MOTE_EXPECT(stages.size() % 3 == 1 && stages.size() / 3 <= largest_force_count);
  Leaps<Real> leaps{};
  for (std::size_t k = 0; k < stages.size(); ++k) {
    MOTE_EXPECT(stages[k].kind == (k % 3 == 0   ? StageKind::kick
                                   : k % 3 == 1 ? StageKind::drift
                                                : StageKind::force));
    const auto h = static_cast<Real>(stages[k].fraction * dt);
    if (k % 3 == 0) leaps.kick[k / 3] = h;
    if (k % 3 == 1) leaps.drift[k / 3] = h;
    if (k % 3 == 2) ++leaps.count;
  }
  return leaps;
}

/// All of it but what hands the places around.
template <Precision precision>
StepsTask<precision> steps_task(const StateView<typename Pairs<precision>::Real>& state,
                                const DeviceDirectGravity& gravity, const Step& stages, double dt,
                                std::uint64_t steps, const CooperativeSteps::Rows& rows,
                                DeviceRecord* record) {
  using Real = typename Pairs<precision>::Real;
  StepsTask<precision> task{};
  task.state = state;
  task.leaps = leaps_of<Real>(stages, dt);
  task.slots = gravity.slots();
  task.gravitational = direct::Factor<precision>(gravity.gravitational());
  const auto softening = static_cast<typename Pairs<precision>::Term>(gravity.softening());
  task.squared_softening = softening * softening;
  task.steps = steps;
  task.record = record;
  task.rows = static_cast<Real*>(rows.to);
  task.first_row = rows.every > 0 ? rows.first : 0;
  task.row_every = rows.every;
  return task;
}

}  // namespace mote::sim
