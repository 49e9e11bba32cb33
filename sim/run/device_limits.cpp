// Limits and memory needs of a GPU.
#include <algorithm>

#include "engine/exec/together.h"
#include "sim/measure/histogram_device.h"
#include "sim/measure/measurement_device.h"
#include "sim/run/batched_measurement.h"
#include "sim/run/persistent_gravity.h"
#include "sim/run/persistent_pairs.h"
#include "sim/run/plan.h"
#include "sim/run/registry.h"

namespace mote::sim {

using engine::Cuda;
using engine::Device;
using engine::Index;

bool measures_in_batches(const SceneDescription& scene, Index count) {
  const std::vector<ModuleInfo> all = modules_of(scene);
  const StateLayout layout = layout_of(scene);
  return !all.empty() &&
         std::all_of(all.begin(), all.end(),
                     [](const ModuleInfo& m) { return m.measured_in_batches; }) &&
         layout.extras == 0 && !scene.thermostat && count <= BatchedMeasurement::largest_count;
}

SteppingLimits stepping_limits(int device, engine::Precision precision) {
  const Cuda exec{device, nullptr};
  const auto limit = [&](PersistentGravity::Kind kind) {
    return std::min(PersistentGravity::largest_count(exec, precision, kind),
                    DeviceDirectGravity::gather_limit());
  };
  const bool together = engine::cooperative_multiprocessors(exec) > 0;
  return {limit(PersistentGravity::Kind::cluster), limit(PersistentGravity::Kind::grid),
          together ? PersistentPairs::largest_count : 0};
}

std::uint64_t device_bytes_for(const SceneDescription& scene, Index count,
                               engine::Precision precision) {
  // Allowance for rounding each array up to device pages of 2 MiB.
  constexpr std::uint64_t pages = std::uint64_t{64} << 20;
  return pages + State<Device>::bytes(count, precision, layout_of(scene)) +
         DeviceMeasure::device_bytes(count) + histogram_device_bytes(count) +
         (scene.gravity ? PersistentGravity::device_bytes(
                              std::min(count, DeviceDirectGravity::gather_limit()))
                        : 0) +
         (scene.pairs ? PersistentPairs::device_bytes(
                            std::min(count, PersistentPairs::largest_count), precision)
                      : 0) +
         (measures_in_batches(scene, count) ? BatchedMeasurement::device_bytes(count, precision)
                                            : 0) +
         device_force_bytes(scene, count, precision);
}

}  // namespace mote::sim
