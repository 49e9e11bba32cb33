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
  SweepPoint point;  ///< what the plan sets and varies, without the seed
};

/// All jobs of a plan: every entry of its list, at every point of its grid, with every random
/// sample and every sample of the hypercube, as often as it repeats. The last of these goes
/// fastest, and of the axes of the grid the last one by name. A function of the plan alone. Throws
/// InputError where there are too many.
std::vector<SweepJob> make_jobs(const SweepPlan& plan);

/// The names that differ between jobs, sorted. A seed is not among them.
std::vector<std::string> varied_names(const SweepPlan& plan);

/// What is said to `mote run` about every job: the scene and options, no folder.
std::vector<std::string> run_words(const SweepPlan& plan);
/// And about one: its settings and seed.
std::vector<std::string> setting_words(const SweepJob& job);

/// OUT/runs/0001.
std::filesystem::path job_folder(const std::filesystem::path& out, int number);
/// Where the reason stands for which a job has failed: OUT/failures/0001.txt.
std::filesystem::path failure_file(const std::filesystem::path& out, int number);

/// Words as a shell reads them back.
std::string shell_line(const std::vector<std::string>& words);

/// What the scene said when jobs were checked.
struct CheckedScene {
  std::string hash;  ///< of its text, and of what it includes
  engine::UnitSystem units;
  std::vector<sim::SeriesColumn> columns;  ///< of series.csv
  bool on_gpu = false;                     ///< where the first job would run
  bool small = true;                       ///< all that were tried would step with others there
  std::vector<SweepPlace> kinds;           ///< parameters of the scene and their units, in `place`
};

/// Reads the scene for the first job, and for enough others that every listed value and the ends of
/// every range of numbers are tried: jobs are products, so that a name or a value which is wrong is
/// found without reading the scene for all of them. Throws InputError with all problems, at the
/// places of the plan.
CheckedScene check_jobs(const SweepPlan& plan, const std::vector<SweepJob>& jobs, bool trusted);

/// The text of jobs.json: what makes two sweeps the same.
std::string jobs_text(const SweepPlan& plan, const std::vector<SweepJob>& jobs,
                      const CheckedScene& scene);

/// A value of jobs as it stands in tables: without its unit where all have the same one.
struct SweepColumn {
  std::string name;   ///< of the parameter
  std::string title;  ///< with the unit, "softening [pc]"
  bool strip = false;
};
std::vector<SweepColumn> varied_columns(const SweepPlan& plan, const std::vector<SweepJob>& jobs,
                                        const CheckedScene& scene);
/// What stands there for a job; "" where its point does not have the name.
std::string cell_text(const SweepColumn& column, const SweepJob& job);

}  // namespace mote::app
