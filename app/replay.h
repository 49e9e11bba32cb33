#pragma once

#include <filesystem>
#include <vector>

#include "app/headless.h"
#include "engine/json_fwd.h"
#include "sim/run/edits.h"

namespace mote::app {

/// What an earlier run left in its run.json, to do it again: the changes of parameters on its way,
/// and, where no scene is given, the scene and how it was computed.
class Replay {
 public:
  /// Throws InputError when the file is not the record of a run.
  explicit Replay(const std::filesystem::path& file);

  /// Fills in what the command line left open: scene, precision, backend, instruction set, number
  /// of steps.
  void complete(HeadlessRequest& request) const;
  /// The scene that ran, in full, changed by `settings`.
  sim::SceneDescription scene(const sim::Settings& settings) const;
  /// Whether hooks ran there. The record has what they did to parameters, not the functions.
  bool had_hooks() const;
  /// Checked against what can be changed in a scene. All problems are thrown together as
  /// InputError.
  std::vector<sim::Edit> edits(const sim::SceneDescription& scene) const;

 private:
  std::string text(const char* key) const;

  std::filesystem::path file_;
  engine::JsonBox record_;
};

}  // namespace mote::app
