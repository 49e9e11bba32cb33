#include "app/sweep/report_sweep.h"

#include <fmt/format.h>

#include <cstdio>

#include "engine/json.h"
#include "engine/terminal.h"
#include "engine/text.h"

namespace mote::app {
namespace {

/// Number of failures that are printed.
constexpr int most_named = 5;

/// Jobs that have not finished: no result, or interrupted.
std::vector<int> without_result(const std::vector<int>& jobs, const SweepResults& results) {
  std::vector<int> numbers;
  for (const int job : jobs) {
    const JobResult* result = results.find(job);
    if (!result || (!result->finished() && result->status != "failed")) numbers.push_back(job);
  }
  return numbers;
}

/// The numbers of the jobs of a request.
std::vector<int> jobs_of(const CheckedSweep& sweep, const SweepRequest& request) {
  if (!request.only.empty()) return request.only;
  std::vector<int> numbers;
  for (const SweepJob& job : sweep.jobs) numbers.push_back(job.number);
  return numbers;
}

void print_failures(const CheckedSweep& sweep, const SweepResults& results) {
  int named = 0;
  for (const SweepJob& job : sweep.jobs) {
    const JobResult* result = results.find(job.number);
    if (!result || (result->status != "failed" && result->status != "unhealthy")) continue;
    if (++named > most_named) continue;
    engine::print("  job {} {}: {}\n", job.number, result->status, result->reason);
  }
  if (named > most_named) engine::print("  and {} more; see results.csv\n", named - most_named);
}

}  // namespace

void report_sweep(const CheckedSweep& sweep, const SweepRequest& request,
                  const SweepResults& results, const SweepEnd& end) {
  const SweepCounts& counts = results.counts();
  const std::vector<int> jobs = jobs_of(sweep, request), missing = without_result(jobs, results);
  if (request.json) {
    engine::print("{}\n", engine::json_text(engine::Json{{"event", end.how},
                                                         {"folder", request.out.string()},
                                                         {"jobs", jobs.size()},
                                                         {"done", counts.done},
                                                         {"unhealthy", counts.unhealthy},
                                                         {"failed", counts.failed},
                                                         {"missing", missing},
                                                         {"seconds", end.seconds},
                                                         {"exit_code", end.exit_code}}));
    std::fflush(stdout);
    return;
  }
  if (request.quiet) return;
  std::string line = fmt::format("{}: {}, {} done", end.how,
                                 engine::counted(static_cast<long long>(jobs.size()), "job"),
                                 engine::with_thousands(counts.done));
  if (counts.unhealthy > 0)
    line += fmt::format(", {} unhealthy", engine::with_thousands(counts.unhealthy));
  if (counts.failed > 0) line += fmt::format(", {} failed", engine::with_thousands(counts.failed));
  if (!missing.empty()) line += fmt::format(", {} without a result", missing.size());
  if (end.seconds > 0 && end.runs_per_second > 0)
    line +=
        fmt::format("; {}, {:.3g} runs/s", engine::duration_text(end.seconds), end.runs_per_second);
  engine::print("{}\n", line);
  print_failures(sweep, results);
  if (!missing.empty()) engine::print("  without a result: {}\n", ranges_text(missing));
  if (const auto kinds = results.arithmetics(); kinds.size() > 1) {
    std::string text;
    for (const auto& [kind, count] : kinds)
      text +=
          fmt::format("{}{} ({})", text.empty() ? "" : ", ", kind, engine::counted(count, "job"));
    engine::print("  run by {}: their last digits may differ\n", text);
  }
  if (request.only.empty()) engine::print("  {}\n", (request.out / "results.csv").string());
  std::fflush(stdout);
}

void describe_sweep(const CheckedSweep& sweep, bool json) {
  constexpr std::size_t shown = 5;
  for (std::size_t i = 0; i < sweep.jobs.size() && json; ++i) {
    const SweepJob& job = sweep.jobs[i];
    engine::Json set = engine::Json::object();
    for (const SweepValue& v : job.point) set[v.name] = v.value;
    engine::print("{}\n", engine::json_text(
                              engine::Json{{"job", job.number}, {"seed", job.seed}, {"set", set}}));
  }
  if (json) return;
  engine::print("{}: good, {} of {}\n", sweep.plan.file.string(),
                engine::counted(static_cast<long long>(sweep.jobs.size()), "job"),
                sweep.plan.scene_file.string());
  for (std::size_t i = 0; i < std::min(shown, sweep.jobs.size()); ++i) {
    const SweepJob& job = sweep.jobs[i];
    std::string line = fmt::format("  {:04} ", job.number);
    for (const SweepValue& v : job.point)
      line += fmt::format(" {}={}", v.name, typed_text(v.value));
    engine::print("{} seed={}\n", line, job.seed);
  }
  if (sweep.jobs.size() > shown) engine::print("  ...\n");
}

CheckedSweep check_sweep(const std::filesystem::path& file, const std::string& backend,
                         bool trusted, bool elsewhere) {
  CheckedSweep sweep;
  sweep.plan = read_sweep_plan(file);
  if (!backend.empty()) sweep.plan.run.backend = backend;
  sweep.jobs = make_jobs(sweep.plan);
  SweepPlan here = sweep.plan;
  if (elsewhere) here.run.backend = "auto";
  sweep.scene = check_jobs(here, sweep.jobs, trusted);
  return sweep;
}

}  // namespace mote::app
