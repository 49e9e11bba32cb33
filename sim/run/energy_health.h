#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/json_fwd.h"
#include "sim/measure/measurement.h"
#include "sim/scene/description.h"

namespace mote::sim {

/// Checks energy conservation of a run, measurement by measurement.
///
/// The drift is |energy - first energy| over the largest of |first energy|, kinetic and |potential|
/// energy so far, so it is meaningful even if the first energy is near 0. Measurements that drift
/// by more than `warn_above` do not count among the largest: an exploding run must not set its own
/// scale.
class EnergyHealth {
 public:
  /// Drifts above which there is a warning, and above which a run is unhealthy if its scene sets no
  /// limit (health.energy_error). Both apply only if nothing in the scene changes the energy.
  static constexpr double warn_above = 0.1, fail_above = 10;

  explicit EnergyHealth(const SceneDescription& scene);

  /// `first_energy`: Simulation::energy_reference.
  void check(const Measurement& measured, double first_energy);
  /// Discards what was found after a step.
  void discard_after(std::uint64_t step);

  /// Of the last measurement; infinite if the energy was not finite.
  double drift() const { return drift_; }
  /// The largest |energy_error| of all measurements; infinite if one was not finite.
  double largest_error() const { return errors_.back().value; }
  /// The warning for the largest drift, or "".
  const std::string& warning() const {
    static const std::string none;
    return worst_.empty() ? none : worst_.back().message;
  }
  /// Why the run is unhealthy, by the first measurement that shows it; or "".
  const std::string& failure() const { return failure_.message; }

  /// For a resumed run.
  engine::Json to_json() const;
  void resume(const engine::Json& state);

 private:
  struct Finding {
    std::uint64_t step = 0;
    double drift = warn_above;
    std::string message;
  };
  void update_drift(const Measurement& measured, double first_energy);

  /// A number, and the step at which it became the largest.
  struct Largest {
    std::uint64_t step;
    double value;
  };
  bool constant_;
  std::optional<double> limit_;
  std::string remedy_;
  double drift_ = 0;
  std::vector<Largest> largest_ = {{0, 0}};  ///< energies, ascending
  std::vector<Largest> errors_ = {{0, 0}};   ///< |energy_error|, ascending
  std::vector<Finding> worst_;               ///< warnings, by ascending drift
  Finding failure_;
};

}  // namespace mote::sim
