#include "app/compare/device_columns.h"
#include "app/compare/expansion_bench.h"
#include "app/compare/workbench.h"
#include "engine/exec/timing.h"
#include "sim/expansions/multipole_device.h"
#include "sim/motion/motion.h"

namespace mote::app {
namespace {

using engine::Device;
using engine::Host;
using sim::State;

class DeviceExpansions final : public ExpansionBench {
 public:
  DeviceExpansions(int device, const State<Host>& bodies, double softening,
                   const sim::MultipoleSettings& settings)
      : stream_(device),
        exec_(stream_.policy()),
        state_(bodies.count(), bodies.precision()),
        gravity_(settings, softening, 1.0, bodies) {
    State<Host> copy = copy_of(bodies);
    copy_to_device(exec_, state_, copy);
  }

  double time_forces(std::uint64_t runs) override {
    return engine::device_seconds(exec_, [&] {
      sim::StepReport ignored;
      for (std::uint64_t k = 0; k < runs; ++k) {
        clear_accelerations(exec_, state_);
        gravity_.run(exec_, state_, ignored);
      }
    });
  }
  sim::ForceErrors errors() override { return gravity_.errors(exec_, state_); }
  sim::MultipoleSolver::Counts counts() const override { return gravity_.counts(); }

 private:
  engine::Stream stream_;
  engine::Cuda exec_;
  State<Device> state_;
  sim::DeviceMultipoleSolver gravity_;
};

}  // namespace

std::unique_ptr<ExpansionBench> device_expansions(int device, const State<Host>& bodies,
                                                  double softening,
                                                  const sim::MultipoleSettings& settings) {
  return std::make_unique<DeviceExpansions>(device, bodies, softening, settings);
}

}  // namespace mote::app
