#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/headless.h"
#include "app/record.h"
#include "app/view/opening.h"
#include "sim/run/history.h"
#include "sim/run/run_folder.h"

namespace mote::app {

/// A run in a window that leaves a folder like a headless one.
struct RecordRequest {
  std::filesystem::path out;
  bool force = false;
  std::vector<std::string> command_line;
};

/// How the hooks of a recorded run have ended.
struct HookEnd {
  sim::HookVerdict verdict;
  engine::JsonBox kept;  ///< their data before on_end: what a checkpoint of the last step holds
  engine::JsonBox data;  ///< after it
};

/// Writes the folder of a run that is steered: rows as they come, rows of a past that was given up
/// taken back; and at the end the edits, the final state and a checkpoint.
class Recorder {
 public:
  /// Throws InputError, before anything is written, when the folder holds a run already.
  Recorder(const RecordRequest& request, const Opened& opened);

  /// Steps between rows.
  std::uint64_t every() const { return every_; }
  void row(const sim::Measurement& measurement);
  // What hooks ask for.
  void hook_row(const sim::Simulation& simulation, const std::string& name,
                const sim::HookRow& row) {
    folder_.hook_row(name, simulation, row);
  }
  void snapshot(sim::Simulation& simulation) { folder_.hook_snapshot(simulation, opened_.scene); }
  /// Rows behind a step are void.
  void cut(std::uint64_t step);
  /// Call once, last.
  void finish(sim::Simulation& simulation, std::span<const sim::Edit> edits,
              const sim::StepReport& end, double stepping_seconds, const HookEnd& hooks,
              const sim::EnergyHealth& energy);
  const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  const Opened& opened_;
  HeadlessRequest request_;
  sim::RunFolder folder_;
  std::uint64_t every_, next_ = 0;
  RunRecord record_;
};

}  // namespace mote::app
