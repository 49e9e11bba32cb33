#include "app/sweep/worker.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <iostream>
#include <utility>

#include "engine/check.h"
#include "engine/json.h"

extern char** environ;

namespace mote::app {
namespace {

using engine::Json;

[[noreturn]] void fail(const char* call, int error) {
  throw engine::SystemError(call, std::strerror(error), "try fewer --jobs");
}

std::array<int, 2> make_pipe() {
  std::array<int, 2> exits{};
  if (::pipe2(exits.data(), O_CLOEXEC) != 0) fail("create a pipe to a worker", errno);
  return exits;
}

bool write_all(int file, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = ::write(file, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return true;
}

/// The environment of a worker: that of this process, restricted to one GPU.
std::vector<std::string> environment_of(const std::string& device) {
  const std::string name = "CUDA_VISIBLE_DEVICES=";
  std::vector<std::string> all;
  for (char** e = environ; *e; ++e)
    if (device.empty() || !std::string_view(*e).starts_with(name)) all.emplace_back(*e);
  if (!device.empty()) all.push_back(name + device);
  return all;
}

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// Starts a worker in its own process group, so that Ctrl+C reaches it only through the sweep, and
/// with default handling of the signals that the sweep ignores.
pid_t start(const std::vector<std::string>& words, const std::vector<std::string>& environment,
            int in, int out, const std::filesystem::path& log) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t how;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawnattr_init(&how);
  ::posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&files, STDERR_FILENO, log.c_str(),
                                     O_WRONLY | O_CREAT | O_APPEND, 0644);
  sigset_t usual;
  ::sigemptyset(&usual);
  for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGUSR1}) ::sigaddset(&usual, signal);
  ::posix_spawnattr_setsigdefault(&how, &usual);
  ::posix_spawnattr_setpgroup(&how, 0);
  ::posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  pid_t process = -1;
  const int error = ::posix_spawn(&process, "/proc/self/exe", &files, &how,
                                  pointers_to(words).data(), pointers_to(environment).data());
  ::posix_spawn_file_actions_destroy(&files);
  ::posix_spawnattr_destroy(&how);
  if (error != 0) fail("start a worker", error);
  return process;
}

}  // namespace

Worker::Worker(const Setup& setup) {
  const auto jobs = make_pipe(), results = make_pipe();
  std::vector<std::string> words{"mote", "sweep-worker", setup.out.string(),
                                 fmt::format("{}", ::getpid())};
  words.insert(words.end(), setup.words.begin(), setup.words.end());
  process_ = start(words, environment_of(setup.device), jobs[0], results[1], setup.out / "log.txt");
  ::close(jobs[0]);
  ::close(results[1]);
  job_pipe_ = jobs[1];
  result_pipe_ = results[0];
  ::fcntl(result_pipe_, F_SETFL, O_NONBLOCK);
}

Worker::~Worker() {
  ::close(job_pipe_);  // a worker that waits for jobs exits then
  if (!ended_) {
    if (!jobs_.empty()) signal(SIGKILL);
    while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  ::close(result_pipe_);
}

void Worker::assign(const std::vector<JobRequest>& jobs) {
  Json all = Json::array();
  for (const JobRequest& job : jobs) {
    all.push_back(Json{{"job", job.number}, {"settings", job.settings}, {"keep", job.keep}});
    jobs_.push_back(job.number);
  }
  assigned_ = jobs.size();
  write_all(job_pipe_, engine::json_text(all) + "\n");
}

std::optional<JobResult> Worker::next_result() {
  std::array<char, 4096> block{};
  for (std::size_t line = received_.find('\n'); line == received_.npos;
       line = received_.find('\n')) {
    const ssize_t n = ::read(result_pipe_, block.data(), block.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return std::nullopt;  // no more data yet
    if (n == 0) {
      reap();
      return std::nullopt;
    }
    received_.append(block.data(), static_cast<std::size_t>(n));
  }
  const std::size_t line = received_.find('\n');
  JobResult result = job_result(engine::parse_json(received_.substr(0, line)));
  received_.erase(0, line + 1);
  std::erase(jobs_, result.job);
  return result;
}

void Worker::reap() {
  if (ended_) return;
  ended_ = true;
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status))
    end_ = fmt::format("the process was killed by signal {} ({}){}", WTERMSIG(status),
                       ::strsignal(WTERMSIG(status)),
                       WTERMSIG(status) == SIGKILL ? ", possibly for lack of memory" : "");
  else
    end_ = fmt::format("the process ended with code {}", WEXITSTATUS(status));
}

void Worker::signal(int number) const {
  if (!ended_) ::kill(number == SIGKILL ? -process_ : process_, number);
}

int serve_jobs(const RunCommand& options, const std::vector<std::string>& words,
               const std::filesystem::path& out, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) return 1;  // the sweep has ended meanwhile
  // Reserves the pipe for results; all other output goes to standard error.
  const int result_pipe = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  for (std::string line; std::getline(std::cin, line);) {
    std::vector<JobRequest> jobs;
    for (const Json& json : engine::parse_json(line))
      jobs.push_back({json.at("job").get<int>(),
                      json.at("settings").get<std::vector<std::string>>(),
                      json.at("keep").get<std::string>()});
    bool exits = false;
    run_batch(options, words, jobs, out, [&](const JobResult& result) {
      const bool sent = write_all(result_pipe, engine::json_text(to_json(result)) + "\n");
      // A failed device, or lack of memory, may fail all further jobs until a new process starts.
      exits = exits || !sent || (result.status == "failed" && result.exit_code == 1);
    });
    if (exits) return 1;
  }
  return 0;
}

}  // namespace mote::app
