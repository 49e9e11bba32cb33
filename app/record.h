#pragma once

#include <filesystem>

#include "app/headless.h"
#include "engine/json_fwd.h"
#include "sim/run/edits.h"
#include "sim/run/energy_health.h"
#include "sim/run/hooks.h"

namespace mote::app {

/// What a run found out about itself.
struct RunRecord {
  explicit RunRecord(const sim::SceneDescription& scene) : energy(scene) {}

  sim::Measurement first, last;
  std::uint64_t steps = 0, interactions = 0, hash = 0;
  double time = 0;
  double opened = 0, stepping = 0, total = 0;  ///< wall seconds
  double before = 0;                   ///< of them by processes that ended before this run's end
  std::vector<std::uint64_t> resumed;  ///< steps at which it went on
  std::filesystem::path checkpoint;    ///< the last one that was written
  std::string encounter;               ///< of steps that are too large for one; or ""
  sim::EnergyHealth energy;            ///< what its rows say of the energy
  std::string reason;                  ///< why it is unhealthy, or ended early
  std::filesystem::path offenders;     ///< the file with them, of a run that broke
  sim::Health health = sim::Health::good;
  std::int64_t offender = -1;
  std::filesystem::path snapshot, movie;
  std::string renderer;
  std::vector<sim::Histogram> histograms;
  std::vector<sim::Edit> edits;  ///< of live parameters on the way
  sim::HookVerdict verdict;      ///< of the scene's hooks
  engine::JsonBox data;          ///< what they keep; null for none
  engine::Index bodies = 0;      ///< at the end
  std::uint64_t added = 0, removed = 0;

  void take_bodies(const sim::Simulation& simulation) {
    bodies = simulation.count();
    added = simulation.clockwork().added;
    removed = simulation.clockwork().removed;
  }
  /// What its user should know, "" for nothing.
  std::string warning() const;
};

engine::Json measurement_json(const sim::Measurement& measurement);

/// Why a run is unhealthy and what may help.
std::string diagnosis(const RunRecord& record, const sim::SceneDescription& scene,
                      const sim::Plan& plan, const sim::Simulation& simulation);

/// The content of run.json at the start of a run, and of one that ended for this reason.
engine::Json run_json_of(const HeadlessRequest& request, const sim::SceneDescription& scene,
                         const sim::Plan& plan, const std::string& status,
                         const std::string& reason = "");

/// The content of run.json.
engine::Json run_json(const HeadlessRequest& request, const sim::SceneDescription& scene,
                      const sim::Plan& plan, const RunRecord& record, Outcome outcome);

/// The last lines of a run for the user: what happened, how fast, where the files are.
void report(const HeadlessRequest& request, const sim::SceneDescription& scene,
            const sim::Plan& plan, const RunRecord& record, Outcome outcome,
            const std::filesystem::path& folder);

}  // namespace mote::app
