#include "engine/exec/launch.cuh"
#include "engine/exec/stream.h"
#include "sim/axles/axles.h"

namespace mote::sim {
namespace {

using engine::Cuda;
using engine::Device;

constexpr unsigned axle_threads = 32;

/// A thread for each solid.
__global__ void __launch_bounds__(axle_threads)
    advance_solids(SolidState* solids, const AxleFormula* axles, int count, StageTime time) {
  if (time.record->halted != 0 || time.record->stalled != 0) return;
  const double now =
      time_at(*time.clock, static_cast<std::int64_t>(time.record->steps), time.elapsed_fraction);
  for (int k = static_cast<int>(threadIdx.x); k < count; k += static_cast<int>(axle_threads))
    advance(solids[k], axles[k], now);
}

}  // namespace

DeviceAxlesForce::DeviceAxlesForce(const Cuda& exec, const std::vector<AxleFormula>& axles)
    : axles_(static_cast<engine::Index>(axles.size())) {
  change(exec, axles);
}

void DeviceAxlesForce::change(const Cuda& exec, const std::vector<AxleFormula>& axles) {
  host_ = axles;
  engine::copy_to_device(axles_.data(), host_.data(), axles_.size(), exec.stream);
  engine::wait(exec);
}

void DeviceAxlesForce::run(const Cuda& exec, State<Device>& state, const StageTime& time,
                           StepReport&) {
  engine::launch(exec, {1, axle_threads}, advance_solids, solids_of(state),
                 static_cast<const AxleFormula*>(axles_.data()), static_cast<int>(axles_.size()),
                 time);
}

double DeviceAxlesForce::potential_energy(const Cuda& exec, const State<Device>& state) const {
  std::vector<SolidState> solids(host_.size());
  engine::copy_bytes_to_host(solids.data(), solids_of(state), solids.size() * sizeof(SolidState),
                             exec.stream);
  engine::wait(exec);
  return energy_of_wheels(host_, solids.data());
}

}  // namespace mote::sim
