#pragma once

#include <cstdint>

#include "engine/exec/policy.h"
#include "engine/memory/buffer.h"
#include "sim/force_request.h"
#include "sim/state.h"

namespace mote::sim {

/// Direct sums of chosen bodies on a GPU, with jerks if they are asked for. Sources are divided
/// into chunks, whose size depends on their number alone; a warp sums a chunk for a few targets,
/// its lanes over every 32nd source, and chunks are added in their order. So all multiprocessors
/// work for a single target too, and the bits of a force depend on the sources alone.
class ChosenDirectForces {
 public:
  /// Sources with velocities, in device memory.
  struct Parameters {
    const int* slots;       ///< source number of each body, or -1; null if body i is source i
    engine::Index sources;  ///< their number
    double softening, gravitational;
    double terms_per_launch;  ///< most pairs of a launch
  };

  /// Memory for `count` bodies, all with mass [bytes].
  static std::uint64_t device_bytes(engine::Index count);

  /// Adds to accelerations and jerks. Does not wait.
  void run(const engine::Cuda& exec, State<engine::Device>& state, const ForceRequest& request,
           const Parameters& parameters);

 private:
  template <engine::Precision precision>
  void run_on(const engine::Cuda& exec, State<engine::Device>& state, const ForceRequest& request,
              const Parameters& parameters);

  engine::Buffer<double, engine::Device> sources_, velocities_, partials_;
};

}  // namespace mote::sim
