#pragma once

#include <cstdint>

#include "engine/exec/policy.h"
#include "engine/memory/buffer.h"
#include "sim/gravity/direct_device.h"
#include "sim/run/kernel_clock.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

inline constexpr std::size_t largest_force_count = 8;  ///< of a step
inline constexpr int cooperative_threads = 512;
/// Bodies that one cluster of blocks steps: its barrier is quick, but all multiprocessors step more
/// of them faster (measured on an H200).
inline constexpr engine::Index largest_cluster_count = 96;

/// Many whole steps of directly summed gravity in one kernel, whose blocks hand each other the
/// places of all bodies once a force: through device memory, where the places themselves say of
/// which force they are (with massless bodies, or little shared memory: behind a barrier over the
/// grid), or within one cluster of blocks that keep all places in their shared memory. The bits are
/// those of one kernel a stage.
class CooperativeSteps {
 public:
  enum class Kind { grid, cluster };

  /// Bodies that this device can step so; 0 when it cannot.
  static engine::Index largest_count(const engine::Cuda& exec, engine::Precision precision,
                                     Kind kind);

  static std::uint64_t device_bytes(engine::Index count);

  /// `stages` times `dt` is a step: kick, drift and force up to `largest_force_count` times, and a
  /// kick, as all schemes are. `gravity` outlives this.
  CooperativeSteps(const engine::Cuda& exec, Kind kind, const State<engine::Device>& state,
                   const DeviceDirectGravity& gravity, const Step& stages, double dt);

  /// Where steps leave places and velocities for measurements: behind step `first` of this run
  /// (counted from 1) and every `every` steps after it, row after row, each six columns x y z vx vy
  /// vz in the state's numbers.
  struct Rows {
    void* to = nullptr;
    std::uint64_t first = 0, every = 0;  ///< every = 0: none
  };

  /// Starts `steps` steps; does not wait. Adds those taken to the record, and the first body that
  /// is not finite. False when the device refuses so many blocks at once, as it does for 0 steps
  /// then.
  bool run(const engine::Cuda& exec, State<engine::Device>& state, std::uint64_t steps,
           const Rows& rows, DeviceRecord* record, KernelClock& clock);

 private:
  template <engine::Precision precision>
  bool run_on(const engine::Cuda& exec, State<engine::Device>& state, std::uint64_t steps,
              const Rows& rows, DeviceRecord* record, KernelClock& clock);

  Kind kind_;
  const DeviceDirectGravity& gravity_;
  Step stages_;
  double dt_;
  int multiprocessors_ = 0;
  std::size_t shared_limit_ = 0;  ///< bytes of a block
  unsigned next_stamp_ = 0;
  engine::Buffer<double, engine::Device> sources_;
};

}  // namespace mote::sim
