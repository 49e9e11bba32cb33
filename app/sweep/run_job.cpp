#include "app/sweep/run_job.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <fstream>
#include <new>
#include <utility>

#include "app/run/interrupt.h"
#include "app/sweep/job_lock.h"
#include "engine/check.h"
#include "engine/exec/lockstep.h"
#include "engine/files.h"
#include "engine/json.h"

extern char** environ;

namespace mote::app {
namespace fs = std::filesystem;

namespace {

using engine::Json;

std::string single_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

/// The last reason for an unhealthy run in its log.
std::string logged_reason(const fs::path& folder) {
  std::ifstream log(folder / "log.txt");
  const std::string word = "unhealthy: ";
  std::string reason;
  for (std::string line; std::getline(log, line);)
    if (const auto at = line.find(word); at != line.npos) reason = line.substr(at + word.size());
  return reason;
}

/// record[key], or null.
const Json& member(const Json& record, const char* key) {
  static const Json nothing;
  const auto found = record.is_object() ? record.find(key) : record.end();
  return record.is_object() && found != record.end() ? *found : nothing;
}

std::string text_member(const Json& record, const char* key) {
  const Json& value = member(record, key);
  return value.is_string() ? value.get<std::string>() : "";
}

void copy_vector(const Json& measured, const char* key, const std::vector<const char*>& names,
                 Json& row) {
  const Json& values = member(measured, key);
  for (std::size_t i = 0; values.is_array() && i < std::min(values.size(), names.size()); ++i)
    row[names[i]] = values[i];
}

/// The measurements of a run.json, by their names in series.csv and run.json.
Json row_of(const Json& record) {
  Json row = Json::object();
  const Json &measured = member(record, "last"), &timings = member(record, "timings");
  for (const char* key : {"time", "step", "kinetic", "potential", "energy", "energy_error",
                          "virial_ratio", "temperature", "pressure", "displacement"})
    row[key] = member(measured, key);
  copy_vector(measured, "momentum", {"momentum_x", "momentum_y", "momentum_z"}, row);
  copy_vector(measured, "angular_momentum",
              {"angular_momentum_x", "angular_momentum_y", "angular_momentum_z"}, row);
  copy_vector(measured, "center_of_mass", {"center_x", "center_y", "center_z"}, row);
  copy_vector(measured, "lagrangian_radii", {"radius_10", "radius_50", "radius_90"}, row);
  row["energy_error_max"] = member(record, "energy_error_max");
  row["bodies"] = member(record, record.contains("bodies_at_end") ? "bodies_at_end" : "bodies");
  row["seconds"] = member(timings, "total_seconds");
  row["steps_per_second"] = member(timings, "steps_per_second");
  for (const char* key : {"state_hash", "backend", "simd", "device", "host"})
    row[key] = member(record, key);
  return row;
}

Json scalars_of(const Json& data) {
  Json scalars = Json::object();
  if (data.is_object())
    for (const auto& [key, value] : data.items())
      if (value.is_primitive()) scalars[key] = value;
  return scalars;
}

/// The run.json in a folder, or null if missing or unreadable.
Json record_in(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::exists(folder / "run.json", ignored)) return nullptr;
  try {
    return engine::parse_json(engine::read_file(folder / "run.json"));
  } catch (const std::exception&) {
    return nullptr;
  }
}

std::string reason_in(const Json& record, const fs::path& folder, const std::string& status) {
  for (const char* key : {"reason", "failure", "stop_reason"})
    if (const std::string reason = text_member(record, key); !reason.empty())
      return single_line(reason);
  return status == "unhealthy" ? logged_reason(folder) : "";
}

bool has_checkpoint(const fs::path& folder) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder / "checkpoints", ignored))
    if (entry.path().extension() == ".h5") return true;
  return false;
}

/// Resumes an interrupted run in a separate process. Its run.json shows whether that succeeded.
void resume(const fs::path& folder) {
  const std::string path = folder.string();
  char* const words[] = {const_cast<char*>("mote"), const_cast<char*>("resume"),
                         const_cast<char*>(path.c_str()), const_cast<char*>("--quiet"), nullptr};
  const InterruptGuard guard;
  pid_t process = -1;
  if (::posix_spawn(&process, "/proc/self/exe", nullptr, nullptr, words, environ) != 0) return;
  bool forwarded = false;
  while (::waitpid(process, nullptr, WNOHANG) == 0) {
    if (InterruptGuard::requested() && !forwarded) forwarded = ::kill(process, SIGUSR1) == 0;
    ::usleep(10'000);
  }
}

JobResult failed_result(int number, std::string reason, int code) {
  JobResult result;
  result.job = number;
  result.status = "failed";
  result.reason = single_line(std::move(reason));
  result.exit_code = code;
  return result;
}

JobResult failed(int number, const std::exception_ptr& problem) {
  try {
    std::rethrow_exception(problem);
  } catch (const RunFailed& e) {
    return failed(number, e.cause());
  } catch (const engine::InputError& e) {
    return failed_result(number, e.what(), 2);
  } catch (const std::bad_alloc&) {
    return failed_result(number, "out of memory", 1);
  } catch (const std::exception& e) {
    return failed_result(number, e.what(), 1);
  }
}

/// Removes all but run.json, which has the units of the series, series.csv and the output of hooks.
void keep_summary(const fs::path& folder) {
  std::error_code ignored;
  for (const char* name : {"snapshots", "checkpoints", "scene", "scene.lua", "scene.json",
                           "series.units.json", "log.txt"})
    fs::remove_all(folder / name, ignored);
}

JobResult run_fresh(RunCommand run, const std::vector<std::string>& words, const JobRequest& job,
                    const fs::path& out) {
  const fs::path folder = job_folder(out, job.number);
  CommandLine line{"mote", "run"};
  line.insert(line.end(), words.begin(), words.end());
  line.insert(line.end(), job.settings.begin(), job.settings.end());
  line.insert(line.end(), {"--out", folder.string()});
  for (std::size_t i = 0; i + 1 < job.settings.size(); i += 2) {
    if (job.settings[i] == "--set") run.scene.set.push_back(job.settings[i + 1]);
    if (job.settings[i] == "--seed") run.scene.seed = job.settings[i + 1];
  }
  run.out = folder.string();
  run.request.force = true;  // overwrites the files of an interrupted run of this job
  std::optional<std::string>& at_end = run.checkpoints.request.at_end;
  if (!at_end) at_end = "never";  // a run of a sweep that is done is not taken further
  const int code = run.execute(line);
  JobResult result = gather_job(out, job.number);
  result.exit_code = code;
  return result;
}

JobResult try_job(const RunCommand& options, const std::vector<std::string>& words,
                  const JobRequest& job, const fs::path& out) {
  const fs::path folder = job_folder(out, job.number);
  JobResult before = gather_job(out, job.number);
  if (before.finished()) return before;
  const JobLock lock(out, job.number);
  before = gather_job(out, job.number);
  if (before.finished()) return before;
  if (!lock.held()) {
    before.status = "interrupted";
    before.exit_code = 130;
    return before;
  }
  std::error_code ignored;
  fs::remove(failure_file(out, job.number), ignored);
  if (has_checkpoint(folder)) {
    resume(folder);
    JobResult after = gather_job(out, job.number);
    if (after.finished() || after.status == "interrupted") return after;
  }
  return run_fresh(options, words, job, out);
}

}  // namespace

Json to_json(const JobResult& result) {
  return Json{{"job", result.job},   {"status", result.status}, {"reason", result.reason},
              {"last", result.last}, {"data", result.data},     {"exit_code", result.exit_code}};
}

JobResult job_result(const Json& json) {
  JobResult result;
  result.job = json.at("job").get<int>();
  result.status = json.at("status").get<std::string>();
  result.reason = json.at("reason").get<std::string>();
  result.last = json.at("last");
  result.data = json.at("data");
  result.exit_code = json.at("exit_code").get<int>();
  return result;
}

JobResult gather_job(const fs::path& out, int number) {
  const fs::path folder = job_folder(out, number);
  JobResult result;
  result.job = number;
  std::error_code ignored;
  const Json record = record_in(folder);
  if (record.is_object()) {
    result.status = text_member(record, "status");
    result.reason = reason_in(record, folder, result.status);
    result.last = row_of(record);
    result.data = scalars_of(member(record, "data"));
    if (result.finished()) return result;
  } else if (fs::exists(folder, ignored)) {
    result.status = "running";
  }
  if (fs::exists(failure_file(out, number), ignored)) {
    result.status = "failed";
    result.reason = single_line(engine::read_file(failure_file(out, number)));
  }
  return result;
}

RunCommand parse_run_arguments(std::vector<std::string> words) {
  RunCommand run;
  CLI::App app;
  run.add_common(app, true);
  run.add_outputs(app);
  std::reverse(words.begin(), words.end());
  app.parse(words);
  run.picture_option = run.movie_option = nullptr;  // dangling after this function
  return run;
}

JobResult run_job(const RunCommand& options, const std::vector<std::string>& words,
                  const JobRequest& job, const fs::path& out) {
  JobResult result;
  try {
    result = try_job(options, words, job, out);
    if (result.status == "done" && job.keep == "summary") keep_summary(job_folder(out, job.number));
  } catch (...) {
    result = failed(job.number, std::current_exception());
  }
  if (result.status == "failed") write_failure(out, result);
  return result;
}

void run_batch(const RunCommand& options, const std::vector<std::string>& words,
               const std::vector<JobRequest>& jobs, const fs::path& out,
               const std::function<void(const JobResult&)>& done) {
  if (jobs.size() == 1) return done(run_job(options, words, jobs.front(), out));
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) == 0) {
    files.rlim_cur = files.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &files);  // on failure, jobs that run out of files report it
  }
  const InterruptGuard guard;
  engine::Lockstep lockstep;
  RunCommand batch_options = options;
  batch_options.compute.lockstep = &lockstep;
  std::vector<std::function<void()>> all;
  for (const JobRequest& job : jobs)
    all.push_back([&] { done(run_job(batch_options, words, job, out)); });
  lockstep.run(all);
}

int max_batch() {
  constexpr rlim_t files_of_a_run = 9, others = 64, most = 256;
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_max == RLIM_INFINITY) return most;
  return static_cast<int>(
      std::clamp<rlim_t>((std::max(files.rlim_max, others) - others) / files_of_a_run, 1, most));
}

void write_failure(const fs::path& out, const JobResult& result) {
  std::error_code ignored;
  const fs::path file = failure_file(out, result.job);
  fs::create_directories(file.parent_path(), ignored);
  std::ofstream(file) << result.reason << '\n';  // if this fails, the result still has the reason
}

}  // namespace mote::app
