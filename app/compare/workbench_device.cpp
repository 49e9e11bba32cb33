#include "app/compare/device_columns.h"
#include "app/compare/workbench.h"
#include "engine/exec/timing.h"
#include "sim/measure/measurement_device.h"
#include "sim/motion/motion.h"

namespace mote::app {
namespace {

using engine::Device;
using engine::Host;
using sim::State;

class DeviceWorkbench final : public Workbench {
 public:
  DeviceWorkbench(int device, const State<Host>& bodies, double softening, sim::DirectKernel kernel)
      : stream_(device),
        exec_(stream_.policy()),
        mirror_(copy_of(bodies)),
        state_(bodies.count(), bodies.precision()),
        gravity_(exec_, {.softening = softening}, 1.0, bodies, kernel),
        measure_(bodies.count()) {
    copy_to_device(exec_, state_, mirror_);
  }

  std::string kernel() const override { return std::string(name_of(gravity_.kernel())); }
  double time_forces(std::uint64_t runs) override {
    return engine::device_seconds(exec_, [&] {
      sim::StepReport ignored;
      for (std::uint64_t k = 0; k < runs; ++k) {
        clear_accelerations(exec_, state_);
        gravity_.run(exec_, state_, ignored);
      }
    });
  }
  const State<Host>& state() override {
    with_columns(state_, mirror_, [&](auto* on_device, auto* on_host) {
      engine::copy_to_host(on_host, on_device, mirror_.count(), exec_.stream);
    });
    engine::wait(exec_);
    return mirror_;
  }
  double potential_energy() override { return gravity_.potential_energy(exec_, state_); }
  sim::Measurement measure(double potential) override {
    return measure_.measure(exec_, state_, potential);
  }
  std::uint64_t hash(double time, std::uint64_t step) override {
    return measure_.state_hash(exec_, state_, time, step);
  }
  std::int64_t first_not_finite() override { return measure_.first_not_finite(exec_, state_); }

 private:
  engine::Stream stream_;
  engine::Cuda exec_;
  State<Host> mirror_;
  State<Device> state_;
  sim::DeviceDirectGravity gravity_;
  sim::StateMeasure<engine::Cuda> measure_;
};

}  // namespace

std::unique_ptr<Workbench> device_workbench(int device, const State<Host>& bodies, double softening,
                                            sim::DirectKernel kernel) {
  return std::make_unique<DeviceWorkbench>(device, bodies, softening, kernel);
}

std::string kernel_chosen_for(engine::Index count, engine::Precision precision) {
  return std::string(name_of(sim::DeviceDirectGravity::choose(count, count, precision)));
}

}  // namespace mote::app
