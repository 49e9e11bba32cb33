#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

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
  /// unhealthy.
  virtual StepReport advance(std::uint64_t steps, const std::function<bool()>& stop) = 0;

  /// Steps taken since the start.
  virtual std::uint64_t step() const = 0;
  /// step() times dt, in the scene's units.
  double time() const { return static_cast<double>(step()) * dt(); }
  virtual double dt() const = 0;
  /// Directed interactions of all steps so far.
  virtual std::uint64_t interactions() const = 0;

  /// Measures the state as it is now; energy errors are relative to the first measurement ever made.
  virtual Measurement measure() = 0;
  virtual std::uint64_t hash() const = 0;

  /// The state in host memory; valid until the next step.
  virtual const State<engine::Host>& state() = 0;
  engine::Index count() { return state().count(); }

  /// Name of a body by its id, or "" when it has none.
  const std::string& name(std::uint32_t id) const;

 protected:
  std::vector<std::string> names_;
};

/// Makes the bodies, fills a state, and evaluates the first forces. Throws InputError when numbers of the
/// scene do not fit the precision.
std::unique_ptr<Simulation> open_simulation(const SceneDescription& scene, const Plan& plan);

}  // namespace mote::sim
