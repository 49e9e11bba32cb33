#include <algorithm>

#include "engine/exec/launch.cuh"
#include "sim/motion/motion.h"
#include "sim/motion/motion_formula.h"
#include "sim/motion/move_list.h"

namespace mote::sim {
namespace {

using engine::Cuda;
using engine::Device;
using engine::Index;

constexpr unsigned threads = 256;

/// What falls due beside moves.
struct Due {
  bool drifts, first, clears, last;  ///< drifts: some of the moves are
};

/// Who may look at what: `offender[0]` is written by the last moves of a step, `too_long` by forces
/// and the thermostat, and both are read by the first moves of the next one, which write `halted`;
/// all others read that. So no kernel reads what it writes itself, and all threads of one see the
/// same.
template <class Real>
__global__ void __launch_bounds__(threads)
    move_bodies(StateView<Real> s, MoveList<Real> list, Due due, DeviceRecord* record) {
  const Index i = static_cast<Index>(blockIdx.x) * threads + threadIdx.x;
  if (record->stalled != 0) return;
  const bool halted =
      due.first ? record->offender[0] != no_offender || record->too_long != 0 : record->halted != 0;
  if (i == 0 && due.first && halted) record->halted = 1;
  if (halted) return;
  if (i == 0 && due.last) ++record->steps;
  if (i >= s.count) return;
  Real* const x[3] = {s.x, s.y, s.z};
  Real* const v[3] = {s.vx, s.vy, s.vz};
  Real* const a[3] = {s.ax, s.ay, s.az};
  const Real* const shift[3] = {s.column(Extra::shift_x), s.column(Extra::shift_y),
                                s.column(Extra::shift_z)};
  bool finite = true;
  for (int axis = 0; axis < 3; ++axis) {
    Real place = x[axis][i], speed = v[axis][i];
    const Real acceleration = a[axis][i], aside = shift[axis] ? shift[axis][i] : Real(0);
    for (int k = 0; k < list.count; ++k)
      if (list.drifts[k]) {
        place = drift(place, speed, list.h[k]);
        if (shift[axis]) place = drift(place, aside, list.h[k]);
      } else {
        speed = kick(speed, acceleration, list.h[k]);
      }
    if (due.drifts) x[axis][i] = place;
    v[axis][i] = speed;
    if (due.clears) a[axis][i] = Real(0);
    finite = finite && isfinite(place) && isfinite(speed) && isfinite(acceleration);
  }
  if (const Real* const rate = s.column(Extra::density_rate)) {
    Real density = s.column(Extra::density)[i];
    for (int k = 0; k < list.count; ++k)
      if (!list.drifts[k]) density = kick(density, rate[i], list.h[k]);
    s.column(Extra::density)[i] = density;
  }
  for (int axis = 0; axis < 3 && s.column(Extra::spin_rate_x); ++axis) {
    Real& spin = s.extra[static_cast<int>(Extra::spin_x) + axis][i];
    Real& rate = s.extra[static_cast<int>(Extra::spin_rate_x) + axis][i];
    for (int k = 0; k < list.count; ++k)
      if (!list.drifts[k]) spin = kick(spin, rate, list.h[k]);
    if (due.clears) rate = Real(0);
  }
  if (due.last && !finite) atomicMin(&record->offender[0], static_cast<unsigned>(i));
}

template <class Real>
__global__ void __launch_bounds__(threads) clear(StateView<Real> s) {
  const Index i = static_cast<Index>(blockIdx.x) * threads + threadIdx.x;
  if (i >= s.count) return;
  s.ax[i] = s.ay[i] = s.az[i] = Real(0);
  for (int axis = 0; axis < 3; ++axis)
    if (Real* const rate = s.extra[static_cast<int>(Extra::spin_rate_x) + axis]) rate[i] = Real(0);
}

unsigned blocks_for(Index count) {
  return count == 0 ? 1 : static_cast<unsigned>((count + threads - 1) / threads);  // an empty step
                                                                                   // counts too
}

}  // namespace

void move(const Cuda& exec, State<Device>& state, const Moves& moves, DeviceRecord* record) {
  MOTE_EXPECT(!(moves.first && moves.last));  // a step has a force; else one kernel would read what
                                              // it writes
  state.visit([&]<class Real>(StateView<Real> s) {
    const MoveList<Real> list = move_list<Real>(moves.moves);
    const bool drifts =
        std::find(list.drifts, list.drifts + list.count, true) != list.drifts + list.count;
    engine::launch(exec, {blocks_for(s.count), threads}, move_bodies<Real>, s, list,
                   Due{drifts, moves.first, moves.clears, moves.last}, record);
  });
}

void clear_accelerations(const Cuda& exec, State<Device>& state) {
  state.visit([&]<class Real>(StateView<Real> s) {
    engine::launch(exec, {blocks_for(s.count), threads}, clear<Real>, s);
  });
}

}  // namespace mote::sim
