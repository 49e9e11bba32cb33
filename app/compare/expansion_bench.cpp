#include "app/compare/expansion_bench.h"

#include "app/compare/workbench.h"
#include "engine/exec/timing.h"
#include "sim/motion/motion.h"

namespace mote::app {
namespace {

class HostExpansions final : public ExpansionBench {
 public:
  HostExpansions(const engine::Cpu& exec, const sim::State<engine::Host>& bodies, double softening,
                 const sim::MultipoleSettings& settings)
      : exec_(exec), state_(copy_of(bodies)), gravity_(settings, softening, 1.0) {}

  double time_forces(std::uint64_t runs) override {
    return engine::host_seconds([&] {
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
  engine::Cpu exec_;
  sim::State<engine::Host> state_;
  sim::MultipoleSolver gravity_;
};

}  // namespace

std::unique_ptr<ExpansionBench> host_expansions(const engine::Cpu& exec,
                                                const sim::State<engine::Host>& bodies,
                                                double softening,
                                                const sim::MultipoleSettings& settings) {
  return std::make_unique<HostExpansions>(exec, bodies, softening, settings);
}

}  // namespace mote::app
