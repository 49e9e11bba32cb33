#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/sweep/plan.h"
#include "engine/units.h"
#include "sim/io/series.h"

namespace mote::app {

/// One run of a sweep.
struct SweepJob {
  int number = 0;  ///< from 1, in the order of the plan
  std::int64_t seed = 0;
  SweepPoint point;  ///< values that the plan sets and varies, without the seed
};

/// All jobs of a plan: the product of its list, grid, random samples, hypercube samples and
/// repeats. The last of these varies fastest; within the grid, the last axis by name. Depends only
/// on the plan. Throws InputError if there are too many.
std::vector<SweepJob> make_jobs(const SweepPlan& plan);

/// The names that vary between jobs, sorted, without the seed.
std::vector<std::string> varied_names(const SweepPlan& plan);

/// Arguments of `mote run` common to all jobs: the scene and options, without the folder.
std::vector<std::string> run_arguments(const SweepPlan& plan);
/// Arguments of `mote run` for one job: its settings and seed.
std::vector<std::string> setting_arguments(const SweepJob& job);

/// OUT/runs/0001.
std::filesystem::path job_folder(const std::filesystem::path& out, int number);
/// The file with the reason for which a job failed: OUT/failures/0001.txt.
std::filesystem::path failure_file(const std::filesystem::path& out, int number);

/// Quotes arguments for a shell.
std::string shell_line(const std::vector<std::string>& words);

/// A parameter of the scene and its unit.
struct ParameterUnit {
  std::string name, unit;
};

/// The facts of the scene that jobs need, from checking them.
struct CheckedScene {
  std::string hash;  ///< hash of its text and included files
  engine::UnitSystem units;
  std::vector<sim::SeriesColumn> columns;  ///< columns of series.csv
  bool on_gpu = false;                     ///< the first job would run on a GPU
  bool small = true;                       ///< all jobs tried can be stepped in batches
  std::vector<ParameterUnit> parameter_units;
};

/// Reads the scene for the first job, and for enough others to try every listed value and the ends
/// of every range. As jobs are products, this finds wrong names and values without reading the
/// scene for every job. Throws InputError with all problems, located in the plan.
CheckedScene check_jobs(const SweepPlan& plan, const std::vector<SweepJob>& jobs, bool trusted);

/// The text of jobs.json, which identifies a sweep.
std::string jobs_text(const SweepPlan& plan, const std::vector<SweepJob>& jobs,
                      const CheckedScene& scene);

/// A column of a varied parameter in tables.
struct SweepColumn {
  std::string name;    ///< the parameter's name
  std::string title;   ///< the column's name: another, where that one is taken
  bool strip = false;  ///< omit the unit in cells: all values have the same
  std::string unit = {};
};
std::vector<SweepColumn> varied_columns(const SweepPlan& plan, const std::vector<SweepJob>& jobs,
                                        const CheckedScene& scene);
/// The cell of a job; "" if the job does not set this parameter.
std::string cell_text(const SweepColumn& column, const SweepJob& job);

}  // namespace mote::app
