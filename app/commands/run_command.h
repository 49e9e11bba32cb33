#pragma once

#include <string>
#include <vector>

#include "app/commands/commands.h"
#include "app/commands/scene_options.h"
#include "app/run/headless.h"

namespace mote::app {

/// Adds --until and --steps.
void add_end(CLI::App& command, HeadlessRequest& request);

/// Options for checkpoints and the wall-clock limit.
struct CheckpointOptions {
  CheckpointRequest request;
  std::optional<double> wall;

  void add_to(CLI::App& command);
  /// True if any checkpoint option was given.
  bool given() const;

 private:
  std::vector<CLI::Option*> options_;
};

/// Options of `run`, and of `view` when it has to run without a window.
struct RunCommand {
  SceneOptions scene;
  ComputeOptions compute;
  CheckpointOptions checkpoints;
  HeadlessRequest request;
  std::string out, picture, movie, replay, overlay, size = "1280x720";
  std::vector<std::string> histograms;
  CLI::Option* picture_option = nullptr;
  CLI::Option* movie_option = nullptr;

  /// Options of both.
  void add_common(CLI::App& command, bool scene_required);
  /// Options of `run` only.
  void add_outputs(CLI::App& command);
  /// `ranks`: of processes that share the run, on rank 0; null: this one alone runs it.
  int execute(const CommandLine& line, engine::Ranks* ranks = nullptr);
};

}  // namespace mote::app
