#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/json_fwd.h"
#include "engine/units.h"
#include "sim/measure/measurement.h"
#include "sim/run/simulation.h"
#include "sim/scene/description.h"

namespace mote::sim {

/// Checks the energy of a run, measurement by measurement.
///
/// The drift is |energy - first energy| over the largest of |first energy|, kinetic and |potential|
/// energy so far, so it is meaningful even if the first energy is near 0. Measurements that drift
/// by more than `warn_above` do not count among the largest: an exploding run must not set its own
/// scale.
///
/// What is wrong depends on what else may change the energy (EnergyEffect): where nothing does, any
/// drift; where the energy only falls, its rise above the lowest so far; where it may rise by a
/// limited amount, as in a bath, a rise far above that. Everywhere, also where the energy may rise
/// without limit, a kinetic energy that has grown by orders of magnitude is worth a warning.
class EnergyHealth {
 public:
  /// Drifts and rises above which there is a warning, and above which a run is unhealthy if its
  /// scene sets no limit (health.energy_error).
  static constexpr double warn_above = 0.1, fail_above = 10;
  /// The same for the growth of the kinetic energy, which is only warned of: its ratio to the
  /// largest of the first kinetic energy, of kinetic and |potential| energies in the first half of
  /// the time so far, of the depth of the potential, of what edits have brought and of what a bath
  /// gives. Forces that accelerate bodies evenly make it grow by 4 in that half, t^2.
  static constexpr double growth_above = 1000;

  explicit EnergyHealth(const SceneDescription& scene);

  void check(const Measurement& measured, const EnergyReference& reference);
  void check(const Measurement& measured, const Simulation& simulation) {
    check(measured, simulation.reference_for(measured));
  }
  /// Discards what was found after a step.
  void discard_after(std::uint64_t step);

  /// The drift of the last measurement; infinite if the energy was not finite.
  double drift() const { return drift_; }
  /// The largest |energy_error| of all measurements; infinite if one was not finite.
  double largest_error() const { return errors_.back().value; }
  /// The warning for the largest drift or rise, else for the growth of the kinetic energy; or "".
  const std::string& warning() const {
    return worst_.empty() ? growth_.message : worst_.back().message;
  }
  /// Why the run is unhealthy, by the first measurement that shows it; or "".
  const std::string& failure() const { return failure_.message; }

  /// Writes what a resumed run needs.
  engine::Json to_json() const;
  void resume(const engine::Json& state);

 private:
  struct Finding {
    std::uint64_t step = 0;
    double drift = warn_above;
    std::string message = "";
  };
  /// A number, and the step and time of the measurement that it is of.
  struct Extreme {
    std::uint64_t step;
    double value, time = 0;
  };
  using Extremes = std::vector<Extreme>;

  void update(const Measurement& measured, const EnergyReference& reference);
  void check_change(const Measurement& measured, const EnergyReference& reference);
  void check_growth(const Measurement& measured, const EnergyReference& reference);
  static engine::Json json_of(const Extremes& all);
  static void read(const engine::Json& state, const char* key, Extremes& all);

  engine::UnitSystem units_;
  std::optional<double> limit_;
  std::string remedy_;
  double drift_ = 0;
  double rise_ = 0, excess_ = 0;  ///< of the last one: what is wrong, and its part of the scale
  Extremes largest_ = {{0, 0}};   ///< energies, ascending
  Extremes errors_ = {{0, 0}};    ///< |energy_error|, ascending
  Extremes bases_ = {{0, 0}};     ///< energy - first energy, from which rises are counted
  Extremes grown_, depths_;       ///< of energies and of -potential, ascending by quarters
  std::optional<double> first_start_;  ///< EnergyReference::start of the first measurement
  std::vector<Finding> worst_;         ///< warnings, by ascending drift
  Finding growth_, failure_;
};

}  // namespace mote::sim
