#pragma once

#include <cstdint>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/run/parse_time.h"
#include "app/run/pictures.h"
#include "app/run/progress.h"
#include "render/serve/address.h"
#include "sim/measure/histogram.h"
#include "sim/run/plan.h"

namespace mote::app {

/// Checkpoint options of the command line, which override those of the scene.
struct CheckpointRequest {
  std::optional<std::int64_t> steps;
  TypedTime time;
  std::optional<double> wall;  ///< seconds
  std::optional<std::int64_t> keep;
  std::optional<std::string> at_end;  ///< auto, always, never
};

/// Options of a run without a window.
struct HeadlessRequest {
  std::filesystem::path scene;   ///< or a checkpoint; empty: the scene in `replay`
  std::filesystem::path replay;  ///< run.json of a run whose parameter changes are repeated, or
                                 ///< empty
  sim::Settings settings;
  sim::Trust trust = sim::Trust::no;
  sim::RunOptions options;
  TypedTime until;
  std::optional<std::int64_t> steps;
  std::optional<std::int64_t> series_steps, snapshot_steps;
  TypedTime snapshot_time;
  std::vector<std::string> snapshot_formats, snapshot_columns;  ///< empty: those of the scene
  CheckpointRequest checkpoints;
  std::optional<double> wall;  ///< wall-clock limit [s]; an unfinished run leaves a checkpoint
  std::filesystem::path out;   ///< empty: out, out-2, ...
  bool force = false;
  bool optional_pictures = false;  ///< warn, not fail, if a picture cannot be drawn
  bool default_picture = false;    ///< write picture.png in the run folder
  bool default_movie = false;      ///< write movie.mp4 in the run folder
  PictureRequest pictures;
  std::vector<sim::HistogramRequest> histograms;      ///< histograms of the final state
  std::optional<render::serve::ServerOptions> serve;  ///< shows it to browsers while it goes on
  bool quiet = false, json = false;
  std::vector<std::string> command_line;
};

/// A run that failed after its start: the cause, and how to resume it.
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

/// How a run ended; the value is the exit code of the program.
enum class Outcome { done = 0, unhealthy = 3, interrupted = 130 };

/// Options of `mote resume`: continues a run from its newest checkpoint.
struct ResumeRequest {
  std::filesystem::path run;          ///< its folder, or a checkpoint to continue in a new one
  std::filesystem::path out;          ///< the new one; empty: out, out-2, ...
  std::optional<std::uint64_t> from;  ///< newest checkpoint at or before this step instead
  TypedTime until;                    ///< replaces the end of the run
  std::optional<std::int64_t> steps;
  sim::Settings live;  ///< live parameters to change at the checkpoint
  sim::RunOptions options;
  sim::Trust trust = sim::Trust::no;
  CheckpointRequest checkpoints;  ///< replaces that of the run if `checkpoints_given`
  bool checkpoints_given = false;
  std::optional<double> wall;
  std::optional<render::serve::ServerOptions> serve;
  bool quiet = false, json = false;
  std::vector<std::string> command_line;
};

}  // namespace mote::app
