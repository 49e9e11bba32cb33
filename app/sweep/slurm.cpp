#include "app/sweep/slurm.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <memory>
#include <sstream>
#include <vector>

#include "app/sweep/results.h"
#include "app/sweep/sweep.h"
#include "engine/check.h"
#include "engine/files.h"
#include "engine/json.h"
#include "engine/terminal.h"
#include "engine/text.h"

namespace mote::app {
namespace fs = std::filesystem;

namespace {

/// The shortest and longest time that a task should take [s]: a scheduler needs seconds for each,
/// and long ones wait long for a place.
constexpr double shortest_task = 10, longest_task = 1800;
/// The number of tasks of a sweep that takes long enough: most users get fewer nodes at once.
constexpr double wanted_tasks = 64;
/// The time that a job is taken to need before any has ended [s].
constexpr double unknown_seconds = 10;

/// The output of a shell command, without its last line break, and whether the command succeeded.
struct Answer {
  std::string text;
  bool good = false;
};
Answer ask(const std::string& command) {
  Answer answer;
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  if (!pipe) return answer;
  std::array<char, 4096> part;
  for (std::size_t n; (n = std::fread(part.data(), 1, part.size(), pipe)) > 0;)
    answer.text.append(part.data(), n);
  answer.good = ::pclose(pipe) == 0;
  while (!answer.text.empty() && answer.text.back() == '\n') answer.text.pop_back();
  return answer;
}

/// Arguments of `mote sweep` that each task and the collecting job have in common.
std::vector<std::string> common_words(const CheckedSweep& sweep, const SweepRequest& request,
                                      const std::string& program) {
  std::vector<std::string> words{program, "sweep", fs::absolute(sweep.plan.file).string(), "--out",
                                 fs::absolute(request.out).string()};
  if (!request.backend.empty()) words.insert(words.end(), {"--backend", request.backend});
  if (request.trusted) words.emplace_back("--trust");
  return words;
}

/// The folder of the next submission: OUT/slurm/0001.
fs::path next_folder(const fs::path& out) {
  for (int number = 1;; ++number) {
    const fs::path folder = out / "slurm" / fmt::format("{:04}", number);
    if (!fs::exists(folder)) return folder;
  }
}

/// The job numbers of earlier submissions, from OUT/slurm/*/submitted.
std::vector<std::string> submitted_before(const fs::path& out) {
  std::vector<std::string> numbers;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(out / "slurm", none))
    if (fs::exists(entry.path() / "submitted")) {
      std::string text = engine::read_file(entry.path() / "submitted");
      text.erase(std::remove(text.begin(), text.end(), '\n'), text.end());
      numbers.push_back(std::move(text));
    }
  return numbers;
}

void refuse_unfinished(const fs::path& out) {
  for (const std::string& number : submitted_before(out)) {
    const Answer queue = ask("squeue --noheader --format=%T --jobs=" + number + " 2>&1");
    // Slurm forgets jobs some minutes after their end.
    if (!queue.good && queue.text.find("Invalid job id") == queue.text.npos)
      throw engine::SystemError("ask Slurm for the jobs of this sweep", queue.text,
                                "try again when squeue answers");
    if (queue.good && !queue.text.empty())
      throw engine::InputError("--on slurm", "jobs of this sweep are still in the queue: " + number,
                               "wait for them, or cancel them by scancel " + number +
                                   "; `mote info " + out.string() + "` shows how far they are");
  }
}

/// The mean time of the jobs that have ended [s].
double seconds_of_a_job(const std::vector<JobResult>& ended) {
  double sum = 0;
  int count = 0;
  for (const JobResult& result : ended)
    if (result.last->is_object() && result.last->contains("seconds") &&
        result.last->at("seconds").is_number())
      sum += result.last->at("seconds").get<double>(), ++count;
  return count > 0 ? sum / count : unknown_seconds;
}

/// The seconds of a limit such as "30", "30:00", "2:00:00", "1-0" and "1-2:00:00", which are
/// minutes, or parts from days or hours down; infinity for others.
double seconds_of_limit(const std::string& text) {
  const auto dash = text.find('-');
  std::vector<double> parts;
  std::istringstream in(dash == text.npos ? text : text.substr(dash + 1));
  for (std::string part; std::getline(in, part, ':');) {
    if (part.empty() || !std::all_of(part.begin(), part.end(),
                                     [](unsigned char c) { return std::isdigit(c) != 0; }))
      return INFINITY;
    parts.push_back(std::stod(part));
  }
  if (parts.empty() || parts.size() > 3) return INFINITY;
  // After days the first part is hours; else one part is minutes, and the last of several seconds.
  std::vector<double> units{3600, 60, 1};
  if (dash == text.npos && parts.size() == 1) units = {60};
  if (dash == text.npos && parts.size() == 2) units = {60, 1};
  double seconds = dash == text.npos ? 0 : 86400 * std::atof(text.substr(0, dash).c_str());
  for (std::size_t k = 0; k < parts.size(); ++k) seconds += units[k] * parts[k];
  return seconds > 0 ? seconds : INFINITY;
}

/// Divides jobs between tasks in turn, since neighbouring jobs of a plan take similar times.
/// `seconds`: the time that a job is expected to take.
std::vector<std::vector<int>> divide_jobs(const std::vector<int>& jobs, double seconds,
                                          const SweepTask& task, int threads) {
  const double at_once = static_cast<double>(
                   task.gpus > 0 ? task.gpus : std::max<std::int64_t>(1, task.cpus / threads)),
               in_all = seconds * static_cast<double>(jobs.size()) / at_once,
               longest =
                   std::max(shortest_task, std::min(longest_task, seconds_of_limit(task.time) / 2)),
               of_task = std::clamp(in_all / wanted_tasks, shortest_task, longest);
  const auto by_time = static_cast<std::int64_t>(
      std::clamp(std::ceil(in_all / of_task), 1.0, static_cast<double>(max_tasks)));
  const auto count = std::min(jobs.size(), static_cast<std::size_t>(task.tasks.value_or(by_time)));
  std::vector<std::vector<int>> tasks(count);
  for (std::size_t k = 0; k < jobs.size(); ++k) tasks[k % count].push_back(jobs[k]);
  return tasks;
}

/// A script for sbatch, option by option.
class Script {
 public:
  void option(const std::string& name, const std::string& value) {
    if (!value.empty()) text_ += "#SBATCH --" + name + "=" + value + "\n";
  }
  /// An option whose value is a file: sbatch would take spaces for ends and % for patterns.
  void file(const std::string& name, const fs::path& folder, const std::string& pattern) {
    std::string path = folder.string() + "/";
    for (std::size_t at = 0; (at = path.find('%', at)) != path.npos; at += 2) path.insert(at, "%");
    option(name, "\"" + path + pattern + "\"");
  }
  void line(const std::string& text) { text_ += text + "\n"; }
  const std::string& text() const { return text_; }

 private:
  std::string text_ = "#!/bin/sh\n";
};

/// A name for the queue, of characters that need no quotes.
std::string job_name(const CheckedSweep& sweep) {
  std::string name = "mote-" + sweep.plan.file.stem().string();
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '-';
  return name;
}

void ask_for_place(Script& script, const SweepTask& task) {
  script.option("partition", task.partition);
  script.option("account", task.account);
  script.option("mem", task.memory);
  script.option("time", task.time);
}

std::string array_script(const CheckedSweep& sweep, const SweepRequest& request,
                         const std::string& program, const fs::path& folder, std::size_t tasks) {
  const SweepTask& task = sweep.plan.slurm;
  const int threads = request.threads.value_or(1);
  const std::int64_t cpus = std::max<std::int64_t>(task.cpus, threads);
  Script script;
  script.option("job-name", job_name(sweep));
  script.option("array", fmt::format("1-{}", tasks) +
                             (task.at_once ? fmt::format("%{}", *task.at_once) : std::string()));
  script.file("output", folder, "task-%a.txt");
  script.option("open-mode", "append");
  ask_for_place(script, task);
  script.option("ntasks", "1");
  script.option("cpus-per-task", fmt::format("{}", cpus));
  if (task.gpus > 0) script.option("gpus-per-node", fmt::format("{}", task.gpus));
  script.line(
      "# A task that was preempted, or whose node failed, runs again and skips what is done.");
  script.line("#SBATCH --requeue");
  script.line(
      "# Before its time ends, runs write checkpoints, from which the next submission goes on.");
  script.option("signal", "B:TERM@60");
  std::vector<std::string> words = common_words(sweep, request, program);
  words.insert(words.end(), {"--threads", fmt::format("{}", threads), "--quiet"});
  // On GPUs their number decides.
  if (task.gpus == 0) words.insert(words.end(), {"--jobs", fmt::format("{}", cpus / threads)});
  if (request.batch) words.insert(words.end(), {"--batch", fmt::format("{}", *request.batch)});
  script.line("exec " + shell_line(words) + " --job \"$(sed -n \"${SLURM_ARRAY_TASK_ID}p\" " +
              shell_line({(folder / "tasks.txt").string()}) + ")\"");
  return script.text();
}

std::string collect_script(const CheckedSweep& sweep, const SweepRequest& request,
                           const std::string& program, const fs::path& folder) {
  Script script;
  script.option("job-name", job_name(sweep) + "-collect");
  script.file("output", folder, "collect.txt");
  ask_for_place(script, sweep.plan.slurm);
  std::vector<std::string> words = common_words(sweep, request, program);
  words.emplace_back("--collect");
  script.line("exec " + shell_line(words));
  return script.text();
}

/// The jobs of a sweep without a result, and how they are divided between tasks.
struct Remaining {
  std::vector<int> jobs;
  std::vector<std::vector<int>> tasks;
};
Remaining remaining_jobs(const CheckedSweep& sweep, const SweepRequest& request) {
  Remaining left;
  std::vector<JobResult> ended;
  for (const SweepJob& job : sweep.jobs) {
    JobResult before = gather_job(request.out, job.number);
    if (before.finished())
      ended.push_back(std::move(before));
    else
      left.jobs.push_back(job.number);
  }
  if (!left.jobs.empty())
    left.tasks = divide_jobs(left.jobs, seconds_of_a_job(ended), sweep.plan.slurm,
                             request.threads.value_or(1));
  return left;
}

/// Submits a script, and returns the number of its job.
std::string submit(const std::string& arguments) {
  const Answer answer = ask("sbatch --parsable " + arguments + " 2>&1");
  // The last line is NUMBER or NUMBER;CLUSTER; there may be warnings before it.
  const std::string last = answer.text.substr(answer.text.rfind('\n') + 1),
                    number = last.substr(0, last.find(';'));
  const bool numeric = !number.empty() && std::all_of(number.begin(), number.end(),
                                                      [](char c) { return c >= '0' && c <= '9'; });
  if (!answer.good || !numeric)
    throw engine::SystemError("submit the sweep to Slurm", answer.text,
                              "see `sinfo` for partitions and limits, and change `slurm` in the "
                              "plan or --sbatch");
  return number;
}

std::string text_of_tasks(const std::vector<std::vector<int>>& tasks) {
  std::string lines;
  for (const std::vector<int>& jobs : tasks) {
    for (std::size_t k = 0; k < jobs.size(); ++k)
      lines += fmt::format("{}{}", k ? "," : "", jobs[k]);
    lines += '\n';
  }
  return lines;
}

}  // namespace

void print_script(const CheckedSweep& sweep, const SweepRequest& request,
                  const std::string& program, const std::string& sbatch) {
  const Remaining left = remaining_jobs(sweep, request);
  engine::print("{}", array_script(sweep, request, program, fs::absolute(next_folder(request.out)),
                                   left.tasks.size()));
  if (!sbatch.empty()) engine::print("# sbatch {}\n", sbatch);
}

bool was_submitted(const fs::path& out) {
  return fs::exists(out / "slurm");
}

SweepCounts count_jobs(const fs::path& out) {
  SweepCounts counts;
  const engine::Json sweep = engine::parse_json(engine::read_file(out / "jobs.json"));
  for (const engine::Json& job : sweep.at("jobs"))
    ++counts.of(gather_job(out, job.at("job").get<int>()).status);
  return counts;
}

int submit_sweep(const CheckedSweep& sweep, const SweepRequest& request, const std::string& program,
                 const std::string& sbatch) {
  if (!ask("command -v sbatch").good)
    throw engine::SystemError("submit the sweep to Slurm", "there is no sbatch",
                              "log in to a machine of the cluster, or leave out --on slurm");
  std::size_t jobs = 0, tasks = 0;
  fs::path folder;
  refuse_unfinished(request.out);  // tasks on this machine would hold the lock
  {
    const SweepLock lock(request.out, true);
    refuse_unfinished(request.out);
    open_sweep_folder(request.out, sweep);
    const Remaining left = remaining_jobs(sweep, request);
    jobs = left.jobs.size(), tasks = left.tasks.size();
    if (jobs > 0) {
      folder = fs::absolute(next_folder(request.out));
      fs::create_directories(folder);
      engine::write_file(folder / "tasks.txt", text_of_tasks(left.tasks), true);
      engine::write_file(folder / "array.sh", array_script(sweep, request, program, folder, tasks),
                         true);
      engine::write_file(folder / "collect.sh", collect_script(sweep, request, program, folder),
                         true);
    }
  }
  if (jobs == 0) return collect_sweep(sweep, request);
  const auto script = [&](const char* name) { return shell_line({(folder / name).string()}); };
  const std::string number = submit(sbatch + " " + script("array.sh"));
  engine::write_file(folder / "submitted", number + "\n", true);
  if (!request.quiet)
    engine::print(
        "submitted as job {}: {} in {}\n  mote info {}   shows how far they are\n"
        "  scancel {}   stops them; the same command goes on\n",
        number, engine::counted(static_cast<long long>(jobs), "job"),
        engine::counted(static_cast<long long>(tasks), "task"), shell_line({request.out.string()}),
        number);
  try {
    // It runs after the last task, however that ended.
    submit(fmt::format("{} --dependency=afterany:{} {}", sbatch, number, script("collect.sh")));
  } catch (const engine::SystemError& e) {
    throw engine::SystemError("submit the job that collects the results", e.what(),
                              "the others are submitted: when they have ended, run `mote sweep " +
                                  sweep.plan.file.string() + " --out " + request.out.string() +
                                  " --collect`");
  }
  return 0;
}

}  // namespace mote::app
