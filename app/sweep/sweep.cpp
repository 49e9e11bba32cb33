#include "app/sweep/sweep.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>

#include "app/run/interrupt.h"
#include "app/sweep/report_sweep.h"
#include "app/sweep/results.h"
#include "app/sweep/sweep_progress.h"
#include "app/sweep/worker.h"
#include "engine/check.h"
#include "engine/machine.h"
#include "engine/terminal.h"
#include "engine/text.h"

namespace mote::app {
namespace fs = std::filesystem;

namespace {

/// GPUs for the workers, as named in CUDA_VISIBLE_DEVICES; {""} for none.
std::vector<std::string> devices_for(const CheckedSweep& sweep, const SweepRequest& request) {
  if (!sweep.scene.on_gpu && sweep.plan.run.backend != "cuda") return {""};
  const auto split = [](const std::string& text) {
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
    return parts;
  };
  const std::size_t count = engine::cuda_info().devices.size();
  std::vector<std::string> names;
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  if (visible && *visible) names = split(visible);
  for (std::size_t i = names.size(); i < count; ++i) names.push_back(fmt::format("{}", i));
  names.resize(std::max<std::size_t>(1, count));
  std::vector<std::string> chosen;
  for (const int gpu :
       engine::gpus_listed(request.devices, static_cast<int>(names.size()), "--devices"))
    chosen.push_back(names[static_cast<std::size_t>(gpu)]);
  return chosen;
}

/// Appends a line with a time stamp to the log of the sweep, which is shared with the workers.
void log_line(const fs::path& out, const std::string& text) {
  std::ofstream(out / "log.txt", std::ios::app)
      << fmt::format("{:%Y-%m-%d %H:%M:%S} {}\n", fmt::localtime(std::time(nullptr)), text);
}

/// Turns a write to a dead worker into an error instead of a signal that ends the sweep.
class IgnorePipes {
 public:
  IgnorePipes() : before_(std::signal(SIGPIPE, SIG_IGN)) {}
  ~IgnorePipes() { std::signal(SIGPIPE, before_); }
  IgnorePipes(const IgnorePipes&) = delete;
  IgnorePipes& operator=(const IgnorePipes&) = delete;

 private:
  void (*before_)(int);
};

/// A sweep in progress: assigns jobs to workers and collects their results.
class RunningSweep {
 public:
  RunningSweep(const CheckedSweep& sweep, const SweepRequest& request, SweepResults& results,
               std::deque<int> waiting)
      : sweep_(sweep),
        request_(request),
        results_(results),
        waiting_(std::move(waiting)),
        before_(results.counts()),
        progress_(progress_style(request.quiet, request.json),
                  static_cast<int>(request.only.empty() ? sweep.jobs.size() : request.only.size()),
                  before_.done + before_.failures()),
        words_(worker_arguments(sweep, request)),
        devices_(devices_for(sweep, request)) {
    const auto wanted =
        static_cast<std::size_t>(std::max(1, request.jobs.value_or(default_workers())));
    workers_.resize(std::min(wanted, waiting_.size()));
    if (!sweep.scene.small || waiting_.empty()) return;
    // Every worker gets jobs.
    const std::size_t per_worker = (waiting_.size() + workers_.size() - 1) / workers_.size();
    batch_ = std::min({per_worker, static_cast<std::size_t>(max_batch()),
                       static_cast<std::size_t>(request.batch.value_or(1 << 20))});
  }

  void run() {
    const IgnorePipes pipes;
    const InterruptGuard guard;
    while (true) {
      if (InterruptGuard::requested() && !interrupted_) interrupt();
      assign_jobs();
      if (busy() == 0) break;
      wait();
      for (std::size_t i = 0; i < workers_.size(); ++i)
        if (workers_[i]) collect(i);
      if (request_.only.empty()) results_.write_if_due();
      progress_.update(results_.counts(), busy());
    }
    progress_.finish();
  }

  bool interrupted() const { return interrupted_; }
  bool too_many() const {
    const auto most = sweep_.plan.max_failures;
    return most && results_.counts().failures() - before_.failures() > *most;
  }
  const SweepProgress& progress() const { return progress_; }

 private:
  /// On the CPU, one worker per core. On a GPU runs alternate; several processes overlap the work
  /// between their steps.
  int default_workers() const {
    const int threads = std::max(1, request_.threads.value_or(1));
    const int cores = std::max(1, engine::machine_info().threads / threads);
    if (devices_.front().empty()) return cores;
    const int devices = static_cast<int>(devices_.size());
    if (!sweep_.scene.small) return devices;
    constexpr int most_of_a_device = 4, worth_a_process = 64;
    const int worth = static_cast<int>(waiting_.size()) / (worth_a_process * devices);
    return devices * std::clamp(std::min(worth, cores / devices), 1, most_of_a_device);
  }

  int busy() const {
    std::size_t jobs = 0;
    for (const auto& worker : workers_)
      if (worker) jobs += worker->jobs().size();
    return static_cast<int>(jobs);
  }

  /// Forwards the interrupt to the workers, which have their own process groups. By SIGUSR1: a
  /// scheduler may signal them too, and a second SIGTERM would end them at once.
  void interrupt() {
    interrupted_ = true;
    for (const auto& worker : workers_)
      if (worker && !worker->jobs().empty()) worker->signal(SIGUSR1);
  }

  void assign_jobs() {
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      if (interrupted_ || waiting_.empty() || too_many()) return;
      if (workers_[i] && !workers_[i]->jobs().empty()) continue;
      if (!workers_[i])
        workers_[i] = std::make_unique<Worker>(
            Worker::Setup{words_, request_.out, devices_[i % devices_.size()]});
      workers_[i]->assign(next_batch());
    }
  }

  /// The next batch of jobs; a job in alone_ forms its own.
  std::vector<JobRequest> next_batch() {
    std::vector<JobRequest> jobs;
    while (jobs.size() < batch_ && !waiting_.empty()) {
      const SweepJob& job = sweep_.jobs[static_cast<std::size_t>(waiting_.front() - 1)];
      const bool alone = alone_.contains(job.number);
      if (alone && !jobs.empty()) break;
      jobs.push_back({job.number, setting_arguments(job), sweep_.plan.run.keep});
      waiting_.pop_front();
      if (alone) break;
    }
    return jobs;
  }

  void wait() const {
    std::vector<pollfd> ends;
    for (const auto& worker : workers_)
      if (worker) ends.push_back({worker->result_pipe(), POLLIN, 0});
    ::poll(ends.data(), ends.size(), 200);
  }

  void collect(std::size_t i) {
    Worker& worker = *workers_[i];
    const bool several = worker.assigned() > 1;
    while (auto result = worker.next_result()) {
      const bool device = result->status == "failed" && result->exit_code == 1;
      if (device && several && !interrupted_)
        retry_alone(result->job);
      else
        record(std::move(*result));
      if (device) failing_.insert(i);
    }
    if (worker.ended()) {
      for (const int job : worker.jobs()) {
        JobResult result = result_after_exit(job, worker.end());
        if (result.status == "failed" && several)
          retry_alone(job);
        else
          record(std::move(result));
      }
    } else if (!failing_.contains(i) || !worker.jobs().empty()) {
      return;
    }
    failing_.erase(i);
    workers_[i].reset();  // serve_jobs exits after such failures
  }

  /// A job that fails may break the others in its batch: running each alone shows which one failed.
  void retry_alone(int job) {
    alone_.insert(job);
    waiting_.push_back(job);
  }

  /// The result of a job whose worker exited: it may have finished the run but not reported it, or
  /// have been interrupted.
  JobResult result_after_exit(int job, const std::string& how) const {
    JobResult result = gather_job(request_.out, job);
    if (result.finished()) return result;
    result.status = interrupted_ ? "interrupted" : "failed";
    result.reason = interrupted_ ? "" : how;
    return result;
  }

  void record(JobResult result) {
    if (result.status == "failed") write_failure(request_.out, result);
    if (!result.finished() && result.status != "interrupted")
      log_line(request_.out,
               fmt::format("job {} {}: {}", result.job, result.status, result.reason));
    progress_.job(result);
    results_.add(std::move(result));
  }

  const CheckedSweep& sweep_;
  const SweepRequest& request_;
  SweepResults& results_;
  std::deque<int> waiting_;
  SweepCounts before_;
  SweepProgress progress_;
  std::vector<std::string> words_, devices_;
  std::vector<std::unique_ptr<Worker>> workers_;  ///< null: not started
  std::size_t batch_ = 1;                         ///< jobs assigned to a worker at a time
  std::set<int> alone_;                           ///< jobs that failed in a batch
  std::set<std::size_t> failing_;                 ///< workers that will exit after their jobs
  bool interrupted_ = false;
};

int exit_code_of(const SweepCounts& counts, bool all) {
  if (counts.failed > 0 || !all) return 1;
  return counts.unhealthy > 0 ? 3 : 0;
}

}  // namespace

std::vector<std::string> worker_arguments(const CheckedSweep& sweep, const SweepRequest& request) {
  std::vector<std::string> words = run_arguments(sweep.plan);
  words.insert(words.end(), {"--threads", fmt::format("{}", request.threads.value_or(1))});
  if (request.trusted) words.emplace_back("--trust");
  return words;
}

int run_sweep(const CheckedSweep& sweep, const SweepRequest& request) {
  const bool part = !request.only.empty();
  const SweepLock lock(request.out, !part);
  const bool again = open_sweep_folder(request.out, sweep);
  SweepResults results(request.out, sweep.plan, sweep.jobs, sweep.scene);
  std::vector<int> numbers = request.only;
  for (std::size_t k = 0; !part && k < sweep.jobs.size(); ++k)
    numbers.push_back(sweep.jobs[k].number);
  std::deque<int> waiting;
  for (const int number : numbers) {
    JobResult before;
    if (again) before = gather_job(request.out, number);
    if (before.finished())
      results.add(std::move(before));
    else
      waiting.push_back(number);
  }
  const std::size_t left = waiting.size();
  log_line(request.out,
           fmt::format("{} of {} jobs, {} to run", part ? "part" : "sweep", numbers.size(), left));
  RunningSweep running(sweep, request, results, std::move(waiting));
  running.run();
  if (!part) results.write(true);
  const SweepCounts& counts = results.counts();
  const bool all = counts.done + counts.failures() == static_cast<int>(numbers.size());
  const int code = running.interrupted() ? 130 : exit_code_of(counts, all);
  report_sweep(
      sweep, request, results,
      {running.interrupted() ? "interrupted"
       : all                 ? "done"
                             : "stopped after too many failures",
       running.progress().seconds(), left == 0 ? 0 : running.progress().rate(counts), code});
  log_line(request.out, fmt::format("{} done, {} unhealthy, {} failed", counts.done,
                                    counts.unhealthy, counts.failed));
  return code;
}

int run_one_job(const CheckedSweep& sweep, const SweepRequest& request, int number) {
  const SweepLock lock(request.out, false);
  open_sweep_folder(request.out, sweep);
  const std::vector<std::string> words = worker_arguments(sweep, request);
  RunCommand options = parse_run_arguments(words);
  options.request.quiet = request.quiet;
  options.request.json = request.json;
  const SweepJob& job = sweep.jobs[static_cast<std::size_t>(number - 1)];
  const bool before = gather_job(request.out, number).finished();
  const JobResult result =
      run_job(options, words, {number, setting_arguments(job), sweep.plan.run.keep}, request.out);
  if (before && !request.quiet && !request.json)
    engine::print("job {} is already {}\n", number, result.status);
  if (result.status == "failed")
    engine::print(stderr, "{}\n",
                  engine::styled(engine::Style::error,
                                 fmt::format("mote: job {}: {}", number, result.reason), stderr));
  if (result.status == "failed" && result.exit_code == 0) return 1;
  return result.status == "unhealthy" ? 3 : result.exit_code;
}

std::vector<int> read_job_list(const std::string& text, std::size_t jobs) {
  const auto refuse = [&](const std::string& problem) {
    throw engine::InputError(
        "--job " + text, problem,
        fmt::format("this plan has jobs 1 to {}; as in 7, 3-40 or 3-40,57", jobs));
  };
  std::set<int> numbers;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const char* const end = part.data() + part.size();
    int first = 0;
    std::from_chars_result read = std::from_chars(part.data(), end, first);
    int last = first;
    if (read.ec == std::errc{} && read.ptr != end && *read.ptr == '-')
      read = std::from_chars(read.ptr + 1, end, last);
    if (read.ec != std::errc{} || read.ptr != end || last < first)
      refuse(engine::quoted(part) + " is not a job or a range of jobs");
    if (first < 1 || last > static_cast<int>(jobs)) refuse("there is no such job");
    for (int number = first; number <= last; ++number) numbers.insert(number);
  }
  if (numbers.empty()) refuse("names no job");
  return {numbers.begin(), numbers.end()};
}

int collect_sweep(const CheckedSweep& sweep, const SweepRequest& request) {
  if (!fs::exists(request.out / "jobs.json"))
    throw engine::InputError("--out " + request.out.string(), "does not contain a sweep",
                             "`mote sweep PLAN --out DIR --print-jobs` creates its folder");
  open_sweep_folder(request.out, sweep);
  SweepResults results(request.out, sweep.plan, sweep.jobs, sweep.scene);
  for (const SweepJob& job : sweep.jobs) results.add(gather_job(request.out, job.number));
  results.write(true);
  const SweepCounts& counts = results.counts();
  const bool all = counts.done + counts.failures() == static_cast<int>(sweep.jobs.size());
  const int code = exit_code_of(counts, all);
  report_sweep(sweep, request, results, {"collected", 0, 0, code});
  return code;
}

void print_jobs(const CheckedSweep& sweep, const SweepRequest& request,
                const std::string& program) {
  open_sweep_folder(request.out, sweep);
  std::vector<std::string> words = run_arguments(sweep.plan);
  words.insert(words.begin(), {program, "run"});
  if (request.threads)
    words.insert(words.end(), {"--threads", fmt::format("{}", *request.threads)});
  if (request.trusted) words.emplace_back("--trust");
  if (!sweep.plan.run.checkpoint_final)
    words.insert(words.end(), {"--checkpoint-final", "never"});  // run_fresh does so, too
  for (const SweepJob& job : sweep.jobs) {
    std::vector<std::string> line = words;
    for (std::string& word : setting_arguments(job)) line.push_back(std::move(word));
    line.insert(line.end(), {"--out", job_folder(request.out, job.number).string()});
    engine::print("{}\n", shell_line(line));
  }
}

}  // namespace mote::app
