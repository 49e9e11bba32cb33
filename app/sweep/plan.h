#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/json.h"

namespace mote::app {

/// A value that jobs give to one name: a parameter of the scene, or a path such as
/// "gravity.softening". A number, true or false, text (which may be a number with a unit), or a
/// list of these.
struct SweepValue {
  std::string name;
  engine::Json value;
};
using SweepPoint = std::vector<SweepValue>;

/// The numbers between two others.
struct SweepSpan {
  double minimum = 0, maximum = 0;
  std::string unit;    ///< of both, as it was written: "pc"; "" for plain numbers
  bool log = false;    ///< evenly in the logarithm
  bool whole = false;  ///< rounded to whole numbers

  /// The value at a part of the way, 0 .. 1.
  engine::Json at(double part) const;
};

/// One name and where its values come from: a list (grid) or a span (random, latin_hypercube).
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

/// Where a name stands in the plan, for messages about its values.
struct SweepPlace {
  std::string name, place, key;
};

/// How each run goes: options of `mote run`, by their names there.
struct SweepRun {
  std::optional<std::int64_t> steps, series_steps, snapshot_steps;
  std::string time,
      snapshot_time;  ///< of the end, and between snapshots; as typed, "10" or "10 Myr"; "" for
                      ///< none
  std::string backend = "auto";
  std::optional<std::string> precision;
  std::string keep = "all";  ///< all, summary
};

/// A plan of many runs as its file says it, checked as far as that goes without its scene.
struct SweepPlan {
  std::filesystem::path file;
  std::string text;
  std::string scene;                 ///< as written in the plan
  std::filesystem::path scene_file;  ///< the file that it means
  std::int64_t seed = 1, repeats = 1;
  std::optional<std::int64_t> max_failures;
  SweepRun run;
  SweepPoint set;  ///< for all jobs
  std::vector<SweepAxis> grid;
  std::vector<SweepPoint> list;
  SweepSamples random, latin_hypercube;
  std::vector<SweepPlace> places;
};

/// Reads a plan in Lua or JSON; a name may be that of a plan that comes with mote. All problems are
/// thrown together as InputError. Nothing is written.
SweepPlan read_sweep_plan(const std::filesystem::path& file);

/// A value as it is typed behind "--set name=".
std::string typed_text(const engine::Json& value);

/// The parts of a text such as "3.5 pc"; of one that is no number with a unit, the text alone.
std::pair<std::string, std::string> number_and_unit(const std::string& text);

}  // namespace mote::app
