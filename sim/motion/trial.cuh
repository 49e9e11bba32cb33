#pragma once

#include <algorithm>
#include <vector>

#include "engine/exec/stream.h"
#include "engine/memory/device_memory.h"
#include "sim/motion/trial.h"

namespace mote::sim {

template <>
class Trial<engine::Cuda> {
 public:
  /// Clock and record are those of the trial, in device memory; the simulation's do not change.
  System<engine::Cuda> system(const engine::Cuda& exec, const System<engine::Cuda>& of, double dt,
                              StepReport& report) {
    StepClock clock = of.clock;
    clock.dt = dt;
    const DeviceRecord record{};
    if (clock_.size() == 0) {
      clock_ = engine::Buffer<StepClock, engine::Device>(1);
      record_ = engine::Buffer<DeviceRecord, engine::Device>(1);
    }
    engine::copy_to_device(clock_.data(), &clock, 1, exec.stream);
    engine::copy_to_device(record_.data(), &record, 1, exec.stream);
    return {of.state, of.forces, clock, report, clock_.data(), record_.data()};
  }
  static bool grow_buffers(const engine::Cuda& exec, const System<engine::Cuda>& system) {
    const auto& all = system.forces.all;
    const auto grows = [](const auto& force) { return force->has_growing_buffers(); };
    if (std::none_of(all.begin(), all.end(), grows)) return false;
    engine::wait(exec);
    bool grown = false;
    for (const auto& force : all) grown = force->grow_buffers(exec) || grown;
    return grown;
  }
  static std::vector<double> to_host(const engine::Cuda& exec, const double* column,
                                     engine::Index count) {
    std::vector<double> values(static_cast<std::size_t>(count));
    if (values.empty()) return values;
    engine::copy_to_host(values.data(), column, count, exec.stream);
    engine::wait(exec);
    return values;
  }

 private:
  engine::Buffer<StepClock, engine::Device> clock_;
  engine::Buffer<DeviceRecord, engine::Device> record_;
};

}  // namespace mote::sim
