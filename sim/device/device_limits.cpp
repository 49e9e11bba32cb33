// Limits and memory needs of a GPU.
#include <algorithm>

#include "engine/exec/together.h"
#include "sim/device/batched_measurement.h"
#include "sim/device/persistent_gravity.h"
#include "sim/device/persistent_pairs.h"
#include "sim/measure/histogram_device.h"
#include "sim/measure/measurement_device.h"
#include "sim/run/plan.h"

namespace mote::sim {

using engine::Cuda;
using engine::Device;
using engine::Index;

bool measures_in_batches(const Model& model, Index count) {
  for (const Physics& p : model.physics)
    if (!p.info().measured_in_batches) return false;
  return !model.physics.empty() && layout_of(model).extras == 0 &&
         count <= BatchedMeasurement::largest_count;
}

SteppingLimits stepping_limits(const Model& model, int device, engine::Precision precision) {
  const ModuleInfo* const alone = only_module(model);
  if (!alone || !alone->persistent) return {};
  const Cuda exec{device, nullptr};
  if (!alone->in_cluster)
    return {0, engine::cooperative_multiprocessors(exec) > 0 ? PersistentPairs::largest_count : 0};
  const auto limit = [&](PersistentGravity::Kind kind) {
    return std::min(PersistentGravity::largest_count(exec, precision, kind),
                    DeviceDirectGravity::gather_limit());
  };
  return {limit(PersistentGravity::Kind::cluster), limit(PersistentGravity::Kind::grid)};
}

std::uint64_t device_bytes_for(const Model& model, Index count, engine::Precision precision) {
  // Allowance for rounding each array up to device pages of 2 MiB.
  constexpr std::uint64_t pages = std::uint64_t{64} << 20;
  return pages + State<Device>::bytes(count, precision, layout_of(model)) +
         DeviceMeasure::device_bytes(count) + histogram_device_bytes(count) +
         (model.physics.find<Gravity>() ? PersistentGravity::device_bytes(
                                              std::min(count, DeviceDirectGravity::gather_limit()))
                                        : 0) +
         (model.physics.find<PairForces>()
              ? PersistentPairs::device_bytes(std::min(count, PersistentPairs::largest_count),
                                              precision)
              : 0) +
         (measures_in_batches(model, count) ? BatchedMeasurement::device_bytes(count, precision)
                                            : 0) +
         device_force_bytes(model, count, precision);
}

}  // namespace mote::sim
