#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/pictures.h"
#include "app/progress.h"
#include "app/typed_time.h"
#include "sim/measure/histogram.h"
#include "sim/run/plan.h"

namespace mote::app {

/// When a run becomes checkpoints, beside those of its end: one when it is interrupted, and the last good one when it
/// becomes unhealthy.
struct CheckpointRequest {
  std::optional<std::int64_t> steps;
  TypedTime time;
  std::optional<double> wall;  ///< seconds; 0: never; nothing: every ten minutes
  int keep = 3;                ///< how many stay

  /// Whether somebody cares: then there is one of the start and of the end, too.
  bool asked() const { return steps || time || wall.value_or(0) > 0; }
};

/// A run without a window, as the command line asks for it.
struct HeadlessRequest {
  std::filesystem::path scene;   ///< may be empty with `replay`: that of the record
  std::filesystem::path replay;  ///< run.json of a run whose edits are made again, or empty
  sim::Settings settings;
  sim::Trust trust = sim::Trust::no;
  sim::RunOptions options;
  TypedTime until;
  std::optional<std::int64_t> steps;
  std::optional<std::int64_t> series_steps, snapshot_steps;
  TypedTime snapshot_time;
  std::vector<std::string> snapshot_formats;  ///< empty: those of the scene
  CheckpointRequest checkpoints;
  std::optional<double> wall;  ///< seconds until the run must have ended, with a checkpoint if it is not done
  std::filesystem::path out;   ///< empty: out, out-2, ...
  bool force = false;
  bool optional_pictures = false;  ///< a picture that cannot be drawn is a warning, not an error
  bool default_picture = false;    ///< picture.png in the run's folder
  bool default_movie = false;      ///< movie.mp4 there
  PictureRequest pictures;
  std::vector<sim::HistogramRequest> histograms;  ///< of the final state
  bool quiet = false, json = false;
  std::vector<std::string> command_line;
};

/// How a run ended; also the exit code of the program.
enum class Outcome { done = 0, unhealthy = 3, interrupted = 130 };

/// Reads, checks, runs, writes. Throws before anything is written when the input is wrong.
Outcome run_headless(HeadlessRequest request);

/// Going on with the run in a folder from its newest checkpoint.
struct ResumeRequest {
  std::filesystem::path run;
  std::optional<std::uint64_t> from;  ///< a step, for an earlier checkpoint
  TypedTime until;                    ///< instead of the end that the run had
  std::optional<std::int64_t> steps;
  sim::Settings live;  ///< live parameters that change from the checkpoint on
  sim::RunOptions options;
  sim::Trust trust = sim::Trust::no;
  CheckpointRequest checkpoints;  ///< what is given in it replaces what the run had
  bool checkpoints_given = false;
  std::optional<double> wall;
  bool quiet = false, json = false;
  std::vector<std::string> command_line;
};

/// Bit for bit as if there had been no stop, on the same machine and backend; files go on where they were. Throws before
/// anything is changed when it cannot.
Outcome resume_headless(const ResumeRequest& request);

}  // namespace mote::app
