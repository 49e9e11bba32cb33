#pragma once

#include <string>
#include <vector>

#include "app/commands/commands.h"
#include "app/commands/scene_options.h"
#include "app/headless.h"

namespace mote::app {

/// --until and --steps.
void add_end(CLI::App& command, HeadlessRequest& request);

/// When a run leaves checkpoints, and when it must end.
struct CheckpointOptions {
  CheckpointRequest request;
  std::optional<double> wall;

  void add_to(CLI::App& command);
  /// Whether any of those about checkpoints is there.
  bool given() const;

 private:
  std::vector<CLI::Option*> options_;
};

/// Everything that `run` takes, and `view` where it has to run without a window.
struct RunCommand {
  SceneOptions scene;
  ComputeOptions compute;
  CheckpointOptions checkpoints;
  HeadlessRequest request;
  std::string out, picture, movie, replay, size = "1280x720";
  std::vector<std::string> histograms;
  CLI::Option* picture_option = nullptr;
  CLI::Option* movie_option = nullptr;

  /// What both take.
  void add_common(CLI::App& command, bool scene_required);
  /// What is only for runs without a window.
  void add_outputs(CLI::App& command);
  int go(const CommandLine& line);
};

}  // namespace mote::app
