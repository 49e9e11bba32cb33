#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/run/headless.h"
#include "app/run/run_report.h"
#include "app/view/opening.h"
#include "sim/history/history.h"
#include "sim/output/run_folder.h"

namespace mote::app {

/// A run in a window that writes a run folder like `mote run`.
struct RecordRequest {
  std::filesystem::path out;
  bool force = false;
  std::vector<std::string> command_line;
};

/// How a recorded run ended.
struct RecordedEnd {
  sim::StepReport step;   ///< report of the last step, if it is unhealthy
  sim::Health found;      ///< found by measurements, unless known and left alone
  std::int64_t offender;  ///< the body that caused it, or -1
  std::string reason;     ///< why it is unhealthy, or ""
};

/// Final state of the hooks of a recorded run.
struct HookEnd {
  sim::HookVerdict verdict;
  engine::JsonBox checkpoint_data;  ///< `sim.data` before on_end, for a checkpoint of the last step
  engine::JsonBox final_data;       ///< after on_end
};

/// Writes the folder of an interactive run: measurements as they come, removing those of discarded
/// branches; at the end the edits, the final state and a checkpoint.
class Recorder {
 public:
  /// Throws InputError, before anything is written, when the folder already contains a run.
  Recorder(const RecordRequest& request, const Opened& opened);

  /// Steps between measurements.
  std::uint64_t every() const { return every_; }
  void add_measurement(const sim::Measurement& measurement);
  // Requests of hooks.
  void hook_row(const sim::Simulation& simulation, const std::string& name,
                const sim::HookRow& row) {
    folder_.hook_row(name, simulation, row);
  }
  void snapshot(sim::Simulation& simulation) { folder_.hook_snapshot(simulation, opened_.scene); }
  /// Removes output after a step.
  void discard_after(std::uint64_t step);
  /// Completes the folder. Call once, last.
  void finish(sim::Simulation& simulation, std::span<const sim::Edit> edits, const RecordedEnd& end,
              double stepping_seconds, const HookEnd& hooks, const sim::EnergyHealth& energy);
  const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  const Opened& opened_;
  HeadlessRequest request_;
  sim::RunFolder folder_;
  std::uint64_t every_, next_ = 0;
  RunReport report_;
};

}  // namespace mote::app
