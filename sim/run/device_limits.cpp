// What a GPU has room for.
#include <algorithm>

#include "engine/exec/together.h"
#include "sim/measure/histogram_device.h"
#include "sim/measure/measurement_device.h"
#include "sim/run/cooperative.h"
#include "sim/run/pair_steps.h"
#include "sim/run/plan.h"
#include "sim/run/registry.h"
#include "sim/run/row_measure.h"

namespace mote::sim {

using engine::Cuda;
using engine::Device;
using engine::Index;

bool measures_rows(const SceneDescription& scene, Index count) {
  const std::vector<ModuleInfo> all = modules_of(scene);
  const StateShape shape = shape_of(scene);
  return !all.empty() &&
         std::all_of(all.begin(), all.end(),
                     [](const ModuleInfo& m) { return m.measured_in_rows; }) &&
         shape.extras == 0 && !scene.thermostat && count <= RowMeasure::largest_count;
}

SteppingLimits stepping_limits(int device, engine::Precision precision) {
  const Cuda exec{device, nullptr};
  const auto limit = [&](CooperativeSteps::Kind kind) {
    return std::min(CooperativeSteps::largest_count(exec, precision, kind),
                    DeviceDirectGravity::gathered_up_to());
  };
  const bool together = engine::multiprocessors_together(exec) > 0;
  return {limit(CooperativeSteps::Kind::cluster), limit(CooperativeSteps::Kind::grid),
          together ? PairSteps::largest_count : 0};
}

std::uint64_t device_bytes_for(const SceneDescription& scene, Index count,
                               engine::Precision precision) {
  // Each array is rounded up to whole pages of the device, 2 MiB.
  constexpr std::uint64_t pages = std::uint64_t{64} << 20;
  return pages + State<Device>::bytes(count, precision, shape_of(scene)) +
         DeviceMeasure::device_bytes(count) + histogram_device_bytes(count) +
         (scene.gravity ? CooperativeSteps::device_bytes(
                              std::min(count, DeviceDirectGravity::gathered_up_to()))
                        : 0) +
         (scene.pairs
              ? PairSteps::device_bytes(std::min(count, PairSteps::largest_count), precision)
              : 0) +
         (measures_rows(scene, count) ? RowMeasure::device_bytes(count, precision) : 0) +
         device_force_bytes(scene, count, precision);
}

}  // namespace mote::sim
