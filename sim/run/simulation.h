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
#include "sim/measure/pack.h"
#include "sim/run/live.h"
#include "sim/run/plan.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// Where time stands: `base_time` at step `base_step`, and a step of `dt` since.
struct Clockwork {
  std::uint64_t step = 0, interactions = 0;
  std::uint64_t base_step = 0;
  double base_time = 0;
  double first_energy = 0;  ///< what energy errors are relative to, when `measured`
  bool measured = false;
};

/// A state that a simulation keeps, in the memory it steps in, with all that stepping on from it needs.
class KeptState {
 public:
  virtual ~KeptState() = default;
  std::uint64_t step() const { return clockwork.step; }
  Clockwork clockwork;
  LiveSettings live;
};

/// The numbers of one body.
struct BodyNumbers {
  std::uint32_t id = 0;
  double mass = 0;
  engine::Vec3d position{}, velocity{}, acceleration{};
};

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
  std::uint64_t step() const { return clockwork_.step; }
  /// In the scene's units: step() times dt, unless dt was changed on the way.
  double time() const { return time_of(clockwork_.step); }
  double dt() const { return live_.dt; }
  /// Directed interactions of all steps so far.
  std::uint64_t interactions() const { return clockwork_.interactions; }

  const LiveSettings& live() const { return live_; }
  /// Changes live parameters between steps. Forces are evaluated anew; energy errors go on from where they were, for the
  /// energy that the change itself brought is no error. Throws InputError when it cannot be.
  void change(const LiveSettings& live);

  /// A copy of the state, to come back to. `restore` takes one of the same simulation, or of one opened for the same
  /// scene and plan: afterwards all is bit for bit as it was.
  virtual std::unique_ptr<KeptState> keep() = 0;
  virtual void restore(const KeptState& kept) = 0;
  /// Bytes that a kept state takes.
  std::uint64_t kept_bytes() const { return State<engine::Host>::bytes(count_, precision_); }

  /// Continues from elsewhere: the numbers of `state` (accelerations are evaluated), at this clockwork and with these
  /// settings. Counts, ids and precision must be those of this simulation.
  virtual void resume(const State<engine::Host>& state, const Clockwork& clockwork,
                      const LiveSettings& live) = 0;
  const Clockwork& clockwork() const { return clockwork_; }

  /// Writes all bodies as floats. On the device it does not wait.
  virtual void pack(const PackTarget& target) = 0;
  /// Of the body in a column, 0 to count() - 1. Few bytes, whatever the number of bodies.
  virtual BodyNumbers body(engine::Index column) = 0;

  /// Measures the state as it is now; energy errors are relative to the first measurement ever made.
  virtual Measurement measure() = 0;
  /// Of all bodies as they are now. Throws InputError when the request cannot be fulfilled.
  virtual Histogram histogram(const HistogramRequest& request) = 0;
  virtual std::uint64_t hash() = 0;

  /// The state in host memory; valid until the next step.
  virtual const State<engine::Host>& state() = 0;
  engine::Index count() const { return count_; }
  engine::Precision precision() const { return precision_; }

  /// Name of a body by its id, or "" when it has none.
  const std::string& name(std::uint32_t id) const;

 protected:
  Simulation(const SceneDescription& scene, engine::Index count, engine::Precision precision,
             std::vector<std::string> names);
  void count_steps(std::uint64_t steps, std::uint64_t interactions) {
    clockwork_.step += steps;
    clockwork_.interactions += interactions;
  }
  /// Fills in what a simulation knows and a state does not: step (that of now by default), time, energy error.
  Measurement with_time(Measurement measurement) { return with_time(measurement, step()); }
  Measurement with_time(Measurement measurement, std::uint64_t step);

  /// Makes forces and steps those of live().
  virtual void apply_live() = 0;
  /// Accelerations from the positions.
  virtual void evaluate_forces() = 0;
  /// Takes over a clock and settings from elsewhere, and applies them; the state is the caller's.
  void put_back(const Clockwork& clockwork, const LiveSettings& live);

 private:
  double time_of(std::uint64_t step) const {
    return clockwork_.base_time + static_cast<double>(step - clockwork_.base_step) * live_.dt;
  }

  engine::Index count_;
  engine::Precision precision_;
  std::vector<std::string> names_;
  LiveSettings live_;
  Clockwork clockwork_;
};

/// Makes the bodies, fills a state, and evaluates the first forces. Throws InputError when numbers of the
/// scene do not fit the precision.
std::unique_ptr<Simulation> open_simulation(const SceneDescription& scene, const Plan& plan);

}  // namespace mote::sim
