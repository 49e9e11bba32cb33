#pragma once

#include <cstdint>
#include <memory>

#include "sim/measure/measurement.h"

namespace mote::sim {

/// Measurements of a state on a GPU, as in measurement.h. Transfers nothing of O(N) size to the
/// host. Sums run in another fixed order and agree with the CPU's up to round-off. Every function
/// synchronises.
template <>
class StateMeasure<engine::Cuda> {
 public:
  explicit StateMeasure(engine::Index count);
  ~StateMeasure();
  static std::uint64_t device_bytes(engine::Index count);

  Measurement measure(const engine::Cuda& exec, const State<engine::Device>& state,
                      double potential, engine::Vec3d period = {});
  /// Computes the same hash as on the host.
  std::uint64_t state_hash(const engine::Cuda& exec, const State<engine::Device>& state,
                           double time, std::uint64_t step);
  /// Finds the same body as on the host.
  std::int64_t first_not_finite(const engine::Cuda& exec, const State<engine::Device>& state);

 private:
  struct Scratch;
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace mote::sim
