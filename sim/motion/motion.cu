#include "engine/exec/launch.cuh"
#include "sim/motion/motion.h"
#include "sim/motion/motion_formula.h"

namespace mote::sim {
namespace {

using engine::Cuda;
using engine::Device;
using engine::Index;

constexpr unsigned threads = 256;
constexpr int most_moves = 4;

/// Moves with their factors in the state's number type.
template <class Real>
struct MoveList {
  int count;
  bool drifts[most_moves];
  Real h[most_moves];
  bool moves, first, clears, last;  ///< moves: some of them are drifts
};

/// Who may look at what: `offender[0]` is written by the last moves of a step, `too_long` by forces, and both are read by the
/// first moves of the next one, which write `halted`; all others read that. So no kernel reads what it writes itself, and
/// all threads of one see the same.
template <class Real>
__global__ void __launch_bounds__(threads)
    move_bodies(StateView<Real> s, MoveList<Real> list, DeviceRecord* record) {
  const Index i = static_cast<Index>(blockIdx.x) * threads + threadIdx.x;
  if (record->stalled != 0) return;
  const bool halted =
      list.first ? record->offender[0] != no_offender || record->too_long != 0 : record->halted != 0;
  if (i == 0 && list.first && halted) record->halted = 1;
  if (halted) return;
  if (i == 0 && list.last) ++record->steps;
  if (i >= s.count) return;
  Real* const x[3] = {s.x, s.y, s.z};
  Real* const v[3] = {s.vx, s.vy, s.vz};
  Real* const a[3] = {s.ax, s.ay, s.az};
  const Real* const shift[3] = {s.column(Extra::shift_x), s.column(Extra::shift_y), s.column(Extra::shift_z)};
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
    if (list.moves) x[axis][i] = place;
    v[axis][i] = speed;
    if (list.clears) a[axis][i] = Real(0);
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
    if (list.clears) rate = Real(0);
  }
  if (list.last && !finite) atomicMin(&record->offender[0], static_cast<unsigned>(i));
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
  return count == 0 ? 1 : static_cast<unsigned>((count + threads - 1) / threads);  // an empty step counts too
}

}  // namespace

void move(const Cuda& exec, State<Device>& state, const Moves& moves, DeviceRecord* record) {
  MOTE_EXPECT(moves.moves.size() <= static_cast<std::size_t>(most_moves));
  MOTE_EXPECT(!(moves.first && moves.last));  // a step has a force; else one kernel would read what it writes
  state.visit([&]<class Real>(StateView<Real> s) {
    MoveList<Real> list{};
    for (const Moves::Move& move : moves.moves) {
      list.drifts[list.count] = move.kind == StageKind::drift;
      list.moves = list.moves || list.drifts[list.count];
      list.h[list.count++] = static_cast<Real>(move.h);
    }
    list.first = moves.first;
    list.clears = moves.clears;
    list.last = moves.last;
    engine::launch(exec, {blocks_for(s.count), threads}, move_bodies<Real>, s, list, record);
  });
}

void clear_accelerations(const Cuda& exec, State<Device>& state) {
  state.visit([&]<class Real>(StateView<Real> s) {
    engine::launch(exec, {blocks_for(s.count), threads}, clear<Real>, s);
  });
}

}  // namespace mote::sim
