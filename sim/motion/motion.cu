#include <algorithm>

#include "engine/algo/for_each.cuh"
#include "engine/exec/launch.cuh"
#include "sim/motion/clear_chosen.h"
#include "sim/motion/field_motion.h"
#include "sim/motion/finite.cuh"
#include "sim/motion/motion.h"
#include "sim/motion/motion_formula.h"
#include "sim/motion/move_list.h"

namespace mote::sim {
namespace {

using engine::Cuda;
using engine::Device;
using engine::Index;
using engine::Vec3;

constexpr unsigned motion_threads = 256;

/// Flags of a launch, as in Moves.
struct MoveFlags {
  bool any_drift, first, clears, last;  ///< any_drift: at least one move is a drift
};

/// Error flags of the record: the last moves of a step write `offender[0]`, as bonds do; forces and
/// the thermostat write `too_long`; a force whose buffers are too small writes `stalled`. The first
/// moves of the next step read `offender[0]` and `too_long` and write `halted`, which all other
/// kernels read. No thread reads a flag that another thread of its launch may write, so that all
/// motion_threads of a launch agree.
template <class Real>
__global__ void __launch_bounds__(motion_threads)
    move_bodies(StateView<Real> s, FieldMotion<Real> fields, MoveFractions moves, MoveFlags flags,
                const StepClock* clock, DeviceRecord* record) {
  const Index i = static_cast<Index>(blockIdx.x) * motion_threads + threadIdx.x;
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
  // All loads of these before the first store, which might alias the next load. Loops over
  // moves have a fixed length: arrays indexed by a variable would be in memory.
  Vec3<Real> x{s.x[i], s.y[i], s.z[i]}, v{s.vx[i], s.vy[i], s.vz[i]};
  const Vec3<Real> a{s.ax[i], s.ay[i], s.az[i]};
  const bool carried = fields.drift[0] != nullptr;
  Vec3<Real> transport{0, 0, 0};
  if (carried) transport = {fields.drift[0][i], fields.drift[1][i], fields.drift[2][i]};
#pragma unroll
  for (int k = 0; k < MoveFractions::capacity; ++k) {
    if (k >= moves.count) break;
    const Real h = duration_of<Real>(moves, k, dt);
    if (!moves.drifts[k]) {
      v = kick(v, a, h);
    } else {
      x = drift(x, v, h);
      if (carried) x = drift(x, transport, h);
    }
  }
  if (flags.any_drift) s.x[i] = x.x, s.y[i] = x.y, s.z[i] = x.z;
  s.vx[i] = v.x, s.vy[i] = v.y, s.vz[i] = v.z;
  if (flags.clears) s.ax[i] = s.ay[i] = s.az[i] = Real(0);
  const bool finite = all_finite(x) && all_finite(v) && all_finite(a);
  for (int field = 0; field < fields.count; ++field) {
    if (fields.value[field]) {
      Real value = fields.value[field][i];
      const Real rate = fields.rate[field][i];
#pragma unroll
      for (int k = 0; k < MoveFractions::capacity; ++k)
        if (k < moves.count && !moves.drifts[k])
          value = kick(value, rate, duration_of<Real>(moves, k, dt));
      fields.value[field][i] = value;
    }
    if (flags.clears && fields.summed[field]) fields.rate[field][i] = Real(0);
  }
  if (flags.last && !finite) atomicMin(&record->offender[0], static_cast<unsigned>(i));
}

template <class Real>
__global__ void __launch_bounds__(motion_threads)
    clear(StateView<Real> s, FieldMotion<Real> fields) {
  const Index i = static_cast<Index>(blockIdx.x) * motion_threads + threadIdx.x;
  if (i >= s.count) return;
  s.ax[i] = s.ay[i] = s.az[i] = Real(0);
  for (int k = 0; k < fields.count; ++k)
    if (fields.summed[k]) fields.rate[k][i] = Real(0);
}

unsigned motion_blocks(Index count) {
  // At least one: steps without bodies are counted too.
  return count == 0 ? 1 : engine::blocks_for(count, motion_threads);
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
    engine::launch(exec, {motion_blocks(s.count), motion_threads}, move_bodies<Real>, s,
                   field_motion(s), list, MoveFlags{drifts, moves.first, moves.clears, moves.last},
                   clock, record);
  });
}

void clear_accelerations(const Cuda& exec, State<Device>& state) {
  state.visit([&]<class Real>(StateView<Real> s) {
    engine::launch(exec, {motion_blocks(s.count), motion_threads}, clear<Real>, s, field_motion(s));
  });
}

void clear_chosen(const Cuda& exec, State<Device>& state, const ForceRequest& request) {
  state.visit([&]<class Real>(StateView<Real> s) {
    for_each(exec, request.targets.of(s.count),
             ClearChosen<Real>{s, request.targets.slots, request.jerks});
  });
}

}  // namespace mote::sim
