#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/json_fwd.h"
#include "sim/measure/measurement.h"
#include "sim/scene/description.h"

namespace mote::sim {

/// Judges the energies that a run measures, one after the other.
///
/// Their drift is |energy - first energy| over the largest of |first energy|, kinetic and
/// |potential| energy so far: a part of the energies that there are, where the first energy is near
/// 0, too. Measurements whose energy is off by more than `wrong` do not count among the largest:
/// what explodes may not be its own measure.
class EnergyHealth {
 public:
  /// Drifts that are warned of, and that make a run unhealthy whose scene has no limit of its own
  /// (health.energy_error); both where nothing in the scene changes the energy.
  static constexpr double wrong = 0.1, broken = 10;

  explicit EnergyHealth(const SceneDescription& scene);

  /// `first_energy`: of the simulation's clockwork.
  void look(const Measurement& measured, double first_energy);
  /// What came after a step is void.
  void cut(std::uint64_t step);

  /// Of the last measurement; infinite where the energy was not finite.
  double drift() const { return drift_; }
  /// Of the largest drift, or "".
  const std::string& warning() const {
    static const std::string none;
    return worst_.empty() ? none : worst_.back().words;
  }
  /// Why the run is unhealthy, of the first measurement that says so; or "".
  const std::string& trouble() const { return trouble_.words; }

  /// For a run that goes on, and back.
  engine::Json state() const;
  void go_on(const engine::Json& state);

 private:
  struct Said {
    std::uint64_t step = 0;
    double drift = wrong;
    std::string words;
  };
  void take(const Measurement& measured, double first_energy);

  /// An energy, and the step from which on it was the largest.
  struct Largest {
    std::uint64_t step;
    double energy;
  };
  bool constant_;
  std::optional<double> limit_;
  const char* remedy_;
  double drift_ = 0;
  std::vector<Largest> largest_ = {{0, 0}};  ///< rising
  std::vector<Said> worst_;                  ///< warnings of rising drifts
  Said trouble_;
};

}  // namespace mote::sim
