#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/sweep/plan_tables.h"
#include "engine/json.h"

namespace mote::app {

/// A value for one name: a parameter of the scene, or a path such as "gravity.softening". The value
/// is a number, a boolean, text (possibly a number with a unit), or a list of these.
struct SweepValue {
  std::string name;
  engine::Json value;
};
using SweepPoint = std::vector<SweepValue>;

/// A range of numbers.
struct SweepSpan {
  double minimum = 0, maximum = 0;
  std::string unit;    ///< unit of both, as written: "pc"; "" for plain numbers
  bool log = false;    ///< spaced evenly in the logarithm
  bool whole = false;  ///< rounded to whole numbers

  /// The value at this fraction of the range, 0 .. 1.
  engine::Json at(double fraction) const;
};

/// One name and its values: a list (grid) or a range (random, latin_hypercube).
struct SweepAxis {
  std::string name;
  std::vector<engine::Json> values;
  SweepSpan span;
};

/// Several axes that are sampled together.
struct SweepSamples {
  std::int64_t count = 0;
  std::vector<SweepAxis> axes;
};

/// The location of a name in the plan, for messages about its values.
struct SweepLocation {
  std::string name, location, key;
};

/// Names of the plans that come with mote, sorted.
std::vector<std::string> shipped_plans();

/// A plan of many runs as written in its file, checked as far as possible without the scene.
struct SweepPlan {
  std::filesystem::path file;
  std::string text;
  std::string scene;                 ///< name or path, as written in the plan
  std::filesystem::path scene_file;  ///< resolved
  std::int64_t seed = 1, repeats = 1;
  std::optional<std::int64_t> max_failures;
  SweepRun run;
  SweepTask slurm;
  SweepPoint set;  ///< values for all jobs
  std::vector<SweepAxis> grid;
  std::vector<SweepPoint> list;
  SweepSamples random, latin_hypercube;
  std::vector<SweepLocation> locations;
};

/// Reads a plan in Lua or JSON, by path or by the name of one that comes with mote. Throws
/// InputError with all problems. Writes nothing.
SweepPlan read_sweep_plan(const std::filesystem::path& file);

/// A value as typed after "--set name=".
std::string typed_text(const engine::Json& value);

/// Splits a text such as "3.5 pc"; the unit is empty if the text is not a number with a unit.
std::pair<std::string, std::string> number_and_unit(const std::string& text);

}  // namespace mote::app
