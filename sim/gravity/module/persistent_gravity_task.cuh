#pragma once

#include "engine/exec/sequenced_packet.cuh"
#include "sim/gravity/direct_device.h"
#include "sim/gravity/warp_per_body.cuh"
#include "sim/motion/motion_formula.h"
#include "sim/step.h"
#include "sim/whole_steps.h"

namespace mote::sim {

using direct::Pairs;
using direct::Precision;
using direct::SourceView;
using direct::Total;
using engine::Vec3;

inline constexpr std::size_t largest_force_count = 8;  ///< force evaluations per step
inline constexpr int persistent_block_threads = 512;
/// Devices whose kernels may take steps together, each with its own bodies.
inline constexpr int most_devices_together = 8;
/// Largest number of bodies for one cluster: its barrier is fast, but above this the whole GPU is
/// faster (measured on an H200).
inline constexpr engine::Index largest_cluster_count = 96;

/// `sum` if v is finite, NaN otherwise: adds v times zero.
template <class Real>
__device__ __forceinline__ Real zero_if_finite(Vec3<Real> v, Real sum) {
  using N = engine::Number<Real>;
  return N::multiply_add(v.x, Real(0),
                         N::multiply_add(v.y, Real(0), N::multiply_add(v.z, Real(0), sum)));
}

/// A step as kernels read it: kick, drift and force `count` times, and a final kick.
template <class Real>
struct Leaps {
  int count;
  Real kick[largest_force_count + 1], drift[largest_force_count];  ///< fraction times dt
};

/// A kernel that misses packets of another device adds this to the steps of its record, which are
/// then more than there can be.
inline constexpr unsigned long long missed_steps = 1ull << 63;
__device__ __forceinline__ unsigned long long* count_of(std::uint64_t& number) {
  static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t));
  return reinterpret_cast<unsigned long long*>(&number);
}

/// Arguments of a persistent kernel for gravity.
template <Precision precision>
struct StepsTask {
  using Real = typename Pairs<precision>::Real;
  StateView<Real> state;
  Leaps<Real> leaps;
  const int* slots;    ///< index of the source of each body, or -1; null if they are consecutive,
  int first_slot;      ///< from this one on
  const Real* masses;  ///< of all sources, if they are consecutive
  direct::Factor<precision> gravitational;
  typename Pairs<precision>::Term squared_softening;
  std::uint64_t steps;
  SourceView<precision> sources;     ///< double-buffered, contiguous (GridExchange)
  engine::SequencedPacket* packets;  ///< double-buffered (SequencedExchange)
  engine::SequencedPacket* others[most_devices_together - 1];  ///< those of other devices
  int other_count;
  unsigned first_sequence;  ///< sequence number of the first force
  DeviceRecord* record;
  Real* samples;  ///< positions and velocities after steps first_sample + k sample_every
  std::uint64_t first_sample, sample_every;  ///< 0, 0: none
  std::uint64_t* times = nullptr;            ///< of a KernelClock
};

/// Stores a body by its owner: in a sample, and in the state after the last step.
template <class Real>
__device__ __forceinline__ void store_sample(Real* sample, engine::Index count, int own,
                                             Vec3<Real> x, Vec3<Real> v) {
  sample[own] = x.x, sample[count + own] = x.y, sample[2 * count + own] = x.z;
  sample[3 * count + own] = v.x, sample[4 * count + own] = v.y, sample[5 * count + own] = v.z;
}
template <class Real>
__device__ __forceinline__ void store_body(const StateView<Real>& s, int own, Vec3<Real> x,
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

/// A task without its exchange buffers.
template <Precision precision>
StepsTask<precision> steps_task(const StateView<typename Pairs<precision>::Real>& state,
                                const DeviceDirectGravity& gravity, const Step& stages,
                                const StepsToTake& steps) {
  using Real = typename Pairs<precision>::Real;
  StepsTask<precision> task{};
  task.state = state;
  task.leaps = leaps_of<Real>(stages, steps.dt);
  task.slots = gravity.slots();
  task.gravitational = direct::Factor<precision>(gravity.gravitational());
  const auto softening = static_cast<typename Pairs<precision>::Term>(gravity.softening());
  task.squared_softening = softening * softening;
  task.steps = steps.steps;
  task.record = steps.record;
  task.samples = static_cast<Real*>(steps.samples.to);
  task.first_sample = steps.samples.every > 0 ? steps.samples.first : 0;
  task.sample_every = steps.samples.every;
  return task;
}

}  // namespace mote::sim
