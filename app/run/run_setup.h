#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <vector>

#include "app/run/run_request.h"
#include "engine/json_fwd.h"
#include "sim/history/edits.h"
#include "sim/output/checkpoint.h"
#include "sim/output/run_claim.h"

namespace mote::app {

/// Common input of runs that are new, resumed in their folder, or continued from a checkpoint in a
/// folder of their own.
struct RunSetup {
  HeadlessRequest& request;
  const sim::SceneDescription& scene;
  const sim::Plan& plan;
  std::vector<sim::Edit> edits;
  const sim::Checkpoint* from = nullptr;  ///< null for a new run
  std::chrono::steady_clock::time_point start;
  std::optional<sim::RunClaim> claim;  ///< the claim of a resumed run
};

/// Everything that can fail (bad values, lack of memory, a missing driver) does so before anything
/// is written to the run folder.
Outcome run_to_end(RunSetup setup);

/// Snapshot formats and columns of the command line replace those of the scene. Throws InputError
/// for columns that the scene cannot have.
void apply_snapshot_options(const HeadlessRequest& request, sim::SceneDescription& scene);

/// The run.json of a run; null if there is none.
engine::Json record_of(const std::filesystem::path& run);

}  // namespace mote::app
