#include <memory>
#include <utility>

#include "sim/run/backends.h"
#include "sim/run/machine.h"

namespace mote::sim {
namespace {

using engine::Cpu;

/// Steps a scene on the CPU, one by one.
class CpuSimulation final : public Machine<Cpu> {
 public:
  CpuSimulation(const SceneDescription& scene, const Plan& plan,
                std::shared_ptr<InitialState> initial)
      : Machine({plan.cpu.threads, plan.cpu.simd, plan.ranks}, plan, std::move(initial)) {
    start(scene);
    started_ = true;
  }

  StepReport advance(std::uint64_t steps, const std::function<bool()>& stop) override {
    return advance_on_all_ranks(steps, stop,
                                [&](std::uint64_t n, const std::function<bool()>& until) {
                                  return advance_one_by_one(n, until);
                                });
  }

 protected:
  System<Cpu> system(StepReport& report) override {
    return {state_, forces_, clock_ahead(), report};
  }

  StageTime current_time() override {
    clock_ = clock_ahead();
    return {&clock_, nullptr, 0};
  }

  void evaluate(StepReport& report) override {
    System<Cpu> now = system(report);
    integrator_->evaluate(exec_, now);
  }

  /// Who replaces bodies evaluates their forces, once.
  void start_stepping() override {
    if (!started_) evaluate_forces();
  }

 private:
  StepClock clock_;
  bool started_ = false;
};

}  // namespace

std::unique_ptr<Simulation> open_cpu_simulation(const SceneDescription& scene, const Plan& plan,
                                                std::shared_ptr<InitialState> start) {
  return std::make_unique<CpuSimulation>(scene, plan, std::move(start));
}

}  // namespace mote::sim
