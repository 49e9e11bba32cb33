#pragma once

#include <filesystem>
#include <vector>

#include "app/run/run_request.h"
#include "engine/json_fwd.h"
#include "sim/history/edits.h"

namespace mote::app {

/// Repeats an earlier run from its run.json: its parameter changes and, if no scene is given, its
/// scene and the way it was computed.
class Replay {
 public:
  /// Throws InputError if the file is not a run.json.
  explicit Replay(const std::filesystem::path& file);

  /// Fills in what the command line leaves open: precision, backend and instruction set, if no
  /// scene is given, and the number of steps, if none is given or it has no end.
  void complete(HeadlessRequest& request, const sim::Stop& stop) const;
  /// The expanded scene of that run, changed by `settings`.
  sim::SceneDescription scene(const sim::Settings& settings) const;
  /// True if that run had hooks. run.json has their parameter changes, not the functions.
  bool had_hooks() const;
  /// The parameter changes, checked against the live parameters of `scene`. Throws InputError with
  /// all problems.
  std::vector<sim::Edit> edits(const sim::SceneDescription& scene) const;

 private:
  std::string text(const char* key) const;

  std::filesystem::path file_;
  engine::JsonBox record_;
};

}  // namespace mote::app
