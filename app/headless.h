#pragma once

#include <cstdint>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/pictures.h"
#include "app/progress.h"
#include "app/typed_time.h"
#include "sim/measure/histogram.h"
#include "sim/run/plan.h"

namespace mote::app {

/// When a run becomes checkpoints, as the command line says it: where it says nothing the scene
/// does.
struct CheckpointRequest {
  std::optional<std::int64_t> steps;
  TypedTime time;
  std::optional<double> wall;  ///< seconds
  std::optional<std::int64_t> keep;
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
  std::optional<double> wall;  ///< seconds until the run must have ended, with a checkpoint if it
                               ///< is not done
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

/// A run that failed on its way: why, and in words how to go on.
class RunFailed : public std::exception {
 public:
  RunFailed(std::exception_ptr cause, std::string what, std::string remedy)
      : cause_(std::move(cause)), what_(std::move(what)), remedy_(std::move(remedy)) {}

  const char* what() const noexcept override { return what_.c_str(); }
  const std::exception_ptr& cause() const { return cause_; }
  const std::string& remedy() const { return remedy_; }

 private:
  std::exception_ptr cause_;
  std::string what_, remedy_;
};

/// How a run ended; also the exit code of the program.
enum class Outcome { done = 0, unhealthy = 3, interrupted = 130 };

/// Reads, checks, runs, writes. Throws before anything is written when the input is wrong, and
/// RunFailed when a run fails that can go on.
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

/// Bit for bit as if there had been no stop, on the same machine and backend; files go on where
/// they were. Throws before anything is changed when it cannot.
Outcome resume_headless(const ResumeRequest& request);

}  // namespace mote::app
