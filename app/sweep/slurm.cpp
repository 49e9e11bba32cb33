#include "app/sweep/slurm.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>

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

/// What a task should take [s]: less is lost among the seconds that a scheduler takes for it, more
/// waits long for a place.
constexpr double shortest_task = 10, longest_task = 1800;
/// Tasks of a sweep that takes long enough: more than the nodes that most users get at once.
constexpr double wanted_tasks = 64;
/// The time of a job before any has ended [s].
constexpr double unknown_seconds = 10;

/// Runs a command of Slurm by the shell. Returns what it prints on both outputs, and whether it
/// succeeded.
struct Answer {
  std::string text;
  bool good = false;
};
Answer ask(const std::string& command) {
  Answer answer;
  std::FILE* const pipe = ::popen((command + " 2>&1").c_str(), "r");
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

/// The numbers of jobs that earlier submissions were given, from OUT/slurm/*/submitted.
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
    const Answer queue = ask("squeue --noheader --format=%T --jobs=" + number);
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

/// Submits a script, and returns the number of its job.
std::string submit(const std::string& arguments) {
  const Answer answer = ask("sbatch --parsable " + arguments);
  // NUMBER or NUMBER;CLUSTER, after warnings.
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

}  // namespace

TaskJobs divide_jobs(const std::vector<int>& jobs, double seconds, const SweepTask& task) {
  const double in_all = seconds * static_cast<double>(jobs.size()) / static_cast<double>(task.cpus),
               of_task = std::clamp(in_all / wanted_tasks, shortest_task, longest_task),
               by_time = std::clamp(std::ceil(in_all / of_task), 1.0, double(max_tasks));
  const auto count =
      std::min(jobs.size(),
               static_cast<std::size_t>(task.tasks.value_or(static_cast<std::int64_t>(by_time))));
  TaskJobs tasks(count);
  for (std::size_t k = 0; k < jobs.size(); ++k) tasks[k % count].push_back(jobs[k]);
  return tasks;
}

namespace {

std::string array_script(const CheckedSweep& sweep, const SweepRequest& request,
                         const std::string& program, const fs::path& folder, std::size_t tasks) {
  const SweepTask& task = sweep.plan.slurm;
  const int threads = request.threads.value_or(1);
  std::string text = "#!/bin/sh\n";
  const auto option = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) text += "#SBATCH --" + name + "=" + value + "\n";
  };
  option("job-name", "mote-" + sweep.plan.file.stem().string());
  option("array", fmt::format("1-{}", tasks) +
                      (task.at_once ? fmt::format("%{}", *task.at_once) : std::string()));
  option("output", (folder / "task-%a.txt").string());
  option("open-mode", "append");
  option("partition", task.partition);
  option("account", task.account);
  option("mem", task.memory);
  option("time", task.time);
  option("cpus-per-task", fmt::format("{}", task.cpus));
  if (task.gpus > 0) option("gpus-per-task", fmt::format("{}", task.gpus));
  if (!task.options.empty()) text += "#SBATCH " + task.options + "\n";
  text +=
      "# A preempted task, or one of a node that failed, runs again and skips what is done. Before "
      "its time ends, runs\n"
      "# write checkpoints, from which the next submission goes on.\n"
      "#SBATCH --ntasks=1\n#SBATCH --requeue\n#SBATCH --signal=B:TERM@60\n";
  std::vector<std::string> words = common_words(sweep, request, program);
  words.insert(words.end(),
               {"--jobs", fmt::format("{}", std::max<std::int64_t>(1, task.cpus / threads)),
                "--threads", fmt::format("{}", threads), "--quiet"});
  text += "exec " + shell_line(words) + " --job \"$(sed -n \"${SLURM_ARRAY_TASK_ID}p\" " +
          shell_line({(folder / "tasks.txt").string()}) + ")\"\n";
  return text;
}

/// What is left of a sweep, and how it would be divided.
struct Remaining {
  std::vector<int> jobs;
  TaskJobs tasks;
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
    left.tasks = divide_jobs(left.jobs, seconds_of_a_job(ended), sweep.plan.slurm);
  return left;
}

}  // namespace

void print_script(const CheckedSweep& sweep, const SweepRequest& request,
                  const std::string& program) {
  const Remaining left = remaining_jobs(sweep, request);
  engine::print("{}", array_script(sweep, request, program, fs::absolute(next_folder(request.out)),
                                   left.tasks.size()));
}

bool was_submitted(const fs::path& out) {
  return fs::exists(out / "slurm");
}

SweepCounts count_jobs(const fs::path& out) {
  SweepCounts counts;
  const engine::Json sweep = engine::parse_json(engine::read_file(out / "jobs.json"));
  for (const engine::Json& job : sweep.at("jobs")) {
    const JobResult result = gather_job(out, job.at("job").get<int>());
    ++counts.of(result.status);
  }
  return counts;
}

int submit_sweep(const CheckedSweep& sweep, const SweepRequest& request, const std::string& program,
                 const std::string& sbatch) {
  if (!ask("command -v sbatch").good)
    throw engine::SystemError("submit the sweep to Slurm", "there is no sbatch",
                              "log in to a machine of the cluster, or leave out --on slurm");
  refuse_unfinished(request.out);
  const SweepLock lock(request.out, true);
  open_sweep_folder(request.out, sweep);
  const auto [left, tasks] = remaining_jobs(sweep, request);
  if (left.empty()) return collect_sweep(sweep, request);
  const fs::path folder = fs::absolute(next_folder(request.out));
  fs::create_directories(folder);
  std::string lines;
  for (const std::vector<int>& jobs : tasks) {
    for (std::size_t k = 0; k < jobs.size(); ++k)
      lines += fmt::format("{}{}", k ? "," : "", jobs[k]);
    lines += '\n';
  }
  engine::write_file(folder / "tasks.txt", lines, true);
  const fs::path array = folder / "array.sh", collect = folder / "collect.sh";
  engine::write_file(array, array_script(sweep, request, program, folder, tasks.size()), true);
  std::vector<std::string> words = common_words(sweep, request, program);
  words.insert(words.end(), {"--collect", "--quiet"});
  engine::write_file(collect,
                     fmt::format("#!/bin/sh\n#SBATCH --job-name=mote-collect\n#SBATCH "
                                 "--output={}\nexec {}\n",
                                 (folder / "collect.txt").string(), shell_line(words)),
                     true);
  const std::string more = sbatch.empty() ? "" : sbatch + " ";
  const std::string number = submit(more + shell_line({array.string()}));
  engine::write_file(folder / "submitted", number + "\n", true);
  // After the last task, however it ended.
  submit(
      fmt::format("--dependency=afterany:{} {}{}", number, more, shell_line({collect.string()})));
  if (!request.quiet)
    engine::print(
        "submitted as job {}: {} in {}\n  mote info {}   shows how far they are\n"
        "  scancel {}   stops them; the same command goes on\n",
        number, engine::counted(static_cast<long long>(left.size()), "job"),
        engine::counted(static_cast<long long>(tasks.size()), "task"), request.out.string(),
        number);
  return 0;
}

}  // namespace mote::app
