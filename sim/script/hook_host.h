#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/params.h"
#include "sim/run/body_ids.h"

namespace mote::sim {

/// A row of a table that hooks write: column names with values, sorted by name.
using HookRow = std::vector<std::pair<std::string, engine::ParamValue>>;

/// Services of the program that runs a scene: a headless run or the session loop of a window. An
/// InputError thrown here is reported at the hook's line; any other exception ends the run.
class HookHost {
 public:
  virtual ~HookHost() = default;
  /// Changes a live parameter at the present step and records it as an edit. The value is valid.
  virtual void edit(const std::string& path, const engine::ParamValue& value) = 0;
  /// Adds and removes bodies at the present step (Simulation::change_bodies).
  virtual void change_bodies(const BodyChange& change) = 0;
  /// Appends a row to rows/NAME.csv.
  virtual void row(const std::string& name, const HookRow& row) = 0;
  virtual void snapshot() = 0;
  /// Draws pictures/NAME.png.
  virtual void picture(const std::string& name) = 0;
};

/// A request of hooks to end the run.
struct HookVerdict {
  enum class Kind { none, stop, fail };
  Kind kind = Kind::none;
  std::string reason;
};

}  // namespace mote::sim
