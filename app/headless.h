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
  std::filesystem::path out;  ///< empty: out, out-2, ...
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

}  // namespace mote::app
