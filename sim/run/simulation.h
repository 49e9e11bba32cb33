#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/measure/histogram.h"
#include "sim/measure/measurement.h"
#include "sim/run/plan.h"
#include "sim/step.h"

namespace mote::sim {

/// A scene that runs. Everything outside (headless runs, the window, sweeps) steps and looks through this;
/// which backend computes shows nowhere. Same scene, same plan, same machine: same bits, however the steps
/// are sliced.
class Simulation {
 public:
  virtual ~Simulation() = default;

  /// Takes up to `steps` whole steps; ends early between steps when `stop` says so, or when a step is
  /// unhealthy. `stop` is asked before every step on the CPU, and every 8 ms or more often on a GPU.
  virtual StepReport advance(std::uint64_t steps, const std::function<bool()>& stop) = 0;

  /// Takes steps as `advance` does, and measures at every step number that is a multiple of `every`, for which it calls
  /// `use` in the order of the steps. A GPU may have stepped on by the time that `use` is called.
  virtual StepReport advance_measured(std::uint64_t steps, std::uint64_t every,
                                      const std::function<bool()>& stop,
                                      const std::function<void(const Measurement&)>& use);

  /// Steps taken since the start.
  std::uint64_t step() const { return step_; }
  /// step() times dt, in the scene's units.
  double time() const { return static_cast<double>(step_) * dt_; }
  double dt() const { return dt_; }
  /// Directed interactions of all steps so far.
  std::uint64_t interactions() const { return interactions_; }

  /// Measures the state as it is now; energy errors are relative to the first measurement ever made.
  virtual Measurement measure() = 0;
  /// Of all bodies as they are now. Throws InputError when the request cannot be fulfilled.
  virtual Histogram histogram(const HistogramRequest& request) = 0;
  virtual std::uint64_t hash() = 0;

  /// The state in host memory; valid until the next step.
  virtual const State<engine::Host>& state() = 0;
  engine::Index count() { return state().count(); }

  /// Name of a body by its id, or "" when it has none.
  const std::string& name(std::uint32_t id) const;

 protected:
  Simulation(double dt, std::vector<std::string> names) : dt_(dt), names_(std::move(names)) {}
  void count_steps(std::uint64_t steps, std::uint64_t interactions) {
    step_ += steps;
    interactions_ += interactions;
  }
  /// Fills in what a simulation knows and a state does not: step (that of now by default), time, energy error.
  Measurement with_time(Measurement measurement) { return with_time(measurement, step_); }
  Measurement with_time(Measurement measurement, std::uint64_t step);

 private:
  double dt_;
  std::vector<std::string> names_;
  std::uint64_t step_ = 0, interactions_ = 0;
  std::optional<double> first_energy_;
};

/// Makes the bodies, fills a state, and evaluates the first forces. Throws InputError when numbers of the
/// scene do not fit the precision.
std::unique_ptr<Simulation> open_simulation(const SceneDescription& scene, const Plan& plan);

}  // namespace mote::sim
