#include <algorithm>

#include "engine/exec/launch.cuh"
#include "sim/motion/field_motion.h"
#include "sim/motion/motion.h"
#include "sim/motion/move_list.h"

namespace mote::sim {
namespace {

using engine::Cuda;
using engine::Device;
using engine::Index;

constexpr unsigned threads = 256;

/// Flags of a launch, as in Moves.
struct MoveFlags {
  bool any_drift, first, clears, last;  ///< any_drift: at least one move is a drift
};

/// Error flags of the record: the last moves of a step write `offender[0]`, as bonds do; forces and
/// the thermostat write `too_long`; a force whose buffers are too small writes `stalled`. The first
/// moves of the next step read `offender[0]` and `too_long` and write `halted`, which all other
/// kernels read. No thread reads a flag that another thread of its launch may write, so that all
/// threads of a launch agree.
template <class Real>
__global__ void __launch_bounds__(threads)
    move_bodies(StateView<Real> s, FieldMotion<Real> fields, MoveFractions moves, MoveFlags flags,
                const StepClock* clock, DeviceRecord* record) {
  const Index i = static_cast<Index>(blockIdx.x) * threads + threadIdx.x;
  // All loads before the first branch, so that they take the time of one.
  const double dt = clock->dt;
  const std::uint32_t stalled = record->stalled,
                      offender = flags.first ? record->offender[0] : no_offender,
                      error = flags.first ? record->too_long : record->halted;
  if (stalled != 0) return;
  const bool halted = offender != no_offender || error != 0;
  if (i == 0 && flags.first && halted) record->halted = 1;
  if (halted) return;
  if (i == 0 && flags.last) ++record->steps;
  if (i >= s.count) return;
  const MoveList<Real> list = move_list<Real>(moves, dt);
  Real* const x[3] = {s.x, s.y, s.z};
  Real* const v[3] = {s.vx, s.vy, s.vz};
  Real* const a[3] = {s.ax, s.ay, s.az};
  bool finite = true;
  for (int axis = 0; axis < 3; ++axis) {
    Real position = x[axis][i], velocity = v[axis][i];
    const Real acceleration = a[axis][i];
    kick_drift(list, position, velocity, acceleration,
               fields.drift[axis] ? fields.drift[axis] + i : nullptr);
    if (flags.any_drift) x[axis][i] = position;
    v[axis][i] = velocity;
    if (flags.clears) a[axis][i] = Real(0);
    finite = finite && isfinite(position) && isfinite(velocity) && isfinite(acceleration);
  }
  for (int k = 0; k < fields.count; ++k) {
    if (fields.value[k]) kick_only(list, fields.value[k][i], fields.rate[k][i]);
    if (flags.clears && fields.summed[k]) fields.rate[k][i] = Real(0);
  }
  if (flags.last && !finite) atomicMin(&record->offender[0], static_cast<unsigned>(i));
}

template <class Real>
__global__ void __launch_bounds__(threads) clear(StateView<Real> s, FieldMotion<Real> fields) {
  const Index i = static_cast<Index>(blockIdx.x) * threads + threadIdx.x;
  if (i >= s.count) return;
  s.ax[i] = s.ay[i] = s.az[i] = Real(0);
  for (int k = 0; k < fields.count; ++k)
    if (fields.summed[k]) fields.rate[k][i] = Real(0);
}

unsigned blocks_for(Index count) {
  // At least one: steps without bodies are counted too.
  return count == 0 ? 1 : static_cast<unsigned>((count + threads - 1) / threads);
}

}  // namespace

void move(const Cuda& exec, State<Device>& state, const Moves& moves, const StepClock* clock,
          DeviceRecord* record) {
  // Each step has a force between its first and its last moves; one kernel for both would read and
  // write `offender[0]`.
  MOTE_EXPECT(!(moves.first && moves.last));
  state.visit([&]<class Real>(StateView<Real> s) {
    const MoveFractions list = move_fractions(moves.moves);
    const bool drifts =
        std::find(list.drifts, list.drifts + list.count, true) != list.drifts + list.count;
    engine::launch(exec, {blocks_for(s.count), threads}, move_bodies<Real>, s, field_motion(s),
                   list, MoveFlags{drifts, moves.first, moves.clears, moves.last}, clock, record);
  });
}

void clear_accelerations(const Cuda& exec, State<Device>& state) {
  state.visit([&]<class Real>(StateView<Real> s) {
    engine::launch(exec, {blocks_for(s.count), threads}, clear<Real>, s, field_motion(s));
  });
}

}  // namespace mote::sim
