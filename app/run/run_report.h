#pragma once

#include <filesystem>

#include "app/run/force_error_sampling.h"
#include "app/run/run_request.h"
#include "engine/json_fwd.h"
#include "sim/history/edits.h"
#include "sim/run/energy_health.h"
#include "sim/script/hooks.h"

namespace mote::app {

/// Speed of the centre of mass: total momentum over total mass [velocity]. Constant with forces
/// that obey Newton's third law; errors of expansions change it.
struct CenterOfMassSpeed {
  double first = 0, last = 0;
  double change = 0;    ///< length of the difference of its velocities
  double relative = 0;  ///< change over the root mean square of the bodies' speeds at the end
};

/// From the first and last measurements; empty if there is no mass.
std::optional<CenterOfMassSpeed> center_of_mass_speed(const sim::Measurement& first,
                                                      const sim::Measurement& last);

/// Results and diagnostics of a run, for run.json and the summary.
struct RunReport {
  explicit RunReport(const sim::SceneDescription& scene) : energy(scene) {}

  sim::Measurement first, last;
  double energy_given = 0;  ///< energy from hands, edits, added or removed bodies; not in the error
  /// Sets it, from the first and the last measurement.
  void note_energy(const sim::Simulation& simulation);
  std::uint64_t steps = 0, interactions = 0, hash = 0;
  double time = 0;
  double opening_seconds = 0, stepping_seconds = 0, total_seconds = 0;  ///< wall-clock time
  double earlier_seconds = 0;          ///< total of earlier processes, if resumed
  std::vector<std::uint64_t> resumed;  ///< steps at which the run was resumed
  engine::JsonBox continued;           ///< checkpoint of another run with which it began, or null
  /// Steps and interactions of that run before.
  std::uint64_t first_step() const { return continued_number("step"); }
  std::uint64_t first_interactions() const { return continued_number("interactions"); }
  std::filesystem::path checkpoint;  ///< the last one written
  std::string without_checkpoint;    ///< why a run that is done has none of its end; or ""
  std::string encounter;             ///< warning of an encounter that dt does not resolve; or ""
  sim::EnergyHealth energy;
  std::string reason;               ///< why it is unhealthy, or ended early
  std::filesystem::path offenders;  ///< offenders.csv of an unhealthy run
  sim::Health health = sim::Health::good;
  std::int64_t offender = -1;
  std::filesystem::path snapshot, movie;
  std::string renderer;
  std::vector<sim::Histogram> histograms;
  std::optional<std::uint64_t> radial_samples;  ///< samples of the radial distribution function
  std::vector<sim::Edit> edits;                 ///< changes of live parameters
  std::vector<sim::RankWork> ranks;             ///< of this process; empty without ranks
  sim::HookVerdict verdict;
  engine::JsonBox data;      ///< stored by hooks; null for none
  engine::Index bodies = 0;  ///< at the end
  std::optional<SampledForceErrors> force_errors = {};
  std::optional<CenterOfMassSpeed> center_of_mass = {};
  std::uint64_t added = 0, removed = 0;

  void set_bodies(const sim::Simulation& simulation) {
    bodies = simulation.count();
    added = simulation.run_clock().added;
    removed = simulation.run_clock().removed;
  }
  /// Says why there is no checkpoint of this size, unless the user wanted none.
  void set_without_checkpoint(const sim::CheckpointTimes& times, std::uint64_t bytes);
  /// The number at `key` in `continued`; 0 without one.
  std::uint64_t continued_number(const char* key) const;
  /// Warnings for the user, "" for none.
  std::string warning() const;
};

engine::Json measurement_json(const sim::Measurement& measurement);

/// The content of run.json at the start of a run, or of one that failed for this reason.
engine::Json run_json_of(const HeadlessRequest& request, const sim::SceneDescription& scene,
                         const sim::Plan& plan, const std::string& status,
                         const std::string& reason = "");

/// The content of run.json at the end of a run.
engine::Json run_json(const HeadlessRequest& request, const sim::SceneDescription& scene,
                      const sim::Plan& plan, const RunReport& report, Outcome outcome);

/// The GPUs of a plan, "2 x NVIDIA H200".
std::string gpus_text(const sim::Plan& plan);

/// Prints the summary of a run: outcome, speed, files.
void print_summary(const HeadlessRequest& request, const sim::SceneDescription& scene,
                   const sim::Plan& plan, const RunReport& report, Outcome outcome,
                   const std::filesystem::path& folder);

}  // namespace mote::app
