#include "sim/io/trial.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <new>
#include <sstream>
#include <string>

namespace mote::sim {
namespace {

enum Exit : int {
  good = 0,
  threw = 100,
  out_of_memory = 101
};  // other numbers are those of somebody who ends programs

/// What a process that fails would do besides: report, write a core, run others' handlers.
void be_silent() {
  for (const int number : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGTRAP, SIGSYS})
    std::signal(number, SIG_DFL);
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  if (const int nowhere = open("/dev/null", O_WRONLY); nowhere >= 0) {
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
  }
}

/// Of addresses, which is what the system can limit.
void limit_memory(std::uint64_t room) {
  std::uint64_t pages = 0;
  rlimit limit{};
  if (!(std::ifstream("/proc/self/statm") >> pages) || getrlimit(RLIMIT_AS, &limit) != 0) return;
  const std::uint64_t taken = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  if (limit.rlim_cur != RLIM_INFINITY && (limit.rlim_cur <= taken || limit.rlim_cur - taken <= room)) return;
  if (room > RLIM_INFINITY - taken) return;
  limit.rlim_cur = taken + room;
  setrlimit(RLIMIT_AS, &limit);
}

[[noreturn]] void be_child(const std::function<std::string()>& work, std::uint64_t room, int to) {
  be_silent();
  limit_memory(room);
  try {
    const std::string said = work();
    for (std::size_t sent = 0; sent < said.size();) {
      const ssize_t step = write(to, said.data() + sent, said.size() - sent);
      if (step < 0 && errno != EINTR) break;
      sent += static_cast<std::size_t>(std::max<ssize_t>(step, 0));
    }
    _exit(good);
  } catch (const std::bad_alloc&) {
    _exit(out_of_memory);
  } catch (...) {  // whoever does it again finds out
    _exit(threw);
  }
}

/// Allocators of sanitizers, unlike that of glibc, wait for ever in a copy when another thread was in them.
bool may_copy() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line))
    if (line.starts_with("Threads:")) return std::stoi(line.substr(8)) == 1;
#endif
  return true;
}

/// Whether a process sleeps, and how long it has worked until now: "" when that cannot be known.
std::string sleeping_since(pid_t child) {
  std::ifstream file("/proc/" + std::to_string(child) + "/stat");
  std::string stat;
  std::getline(file, stat, '\0');
  const std::size_t name_end = stat.rfind(')');
  if (name_end == stat.npos) return "";
  std::istringstream words(stat.substr(name_end + 1));
  std::string word, state, user, system;
  for (int field = 3; field <= 15 && words >> word; ++field) {
    if (field == 3) state = word;
    if (field == 14) user = word;
    if (field == 15) system = word;
  }
  return state == "S" ? user + " " + system : "";
}

/// A copy that sleeps for so long waits for a thread that it does not have: nothing it does makes it sleep.
constexpr int patience = 2000;  // milliseconds

/// What the child writes until it ends; it is killed when it waits for nothing.
std::string read_all(int from, pid_t child) {
  std::string text, before;
  std::array<char, 4096> part{};
  for (;;) {
    pollfd input{from, POLLIN, 0};
    const int ready = poll(&input, 1, patience);
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) {
      const std::string now = sleeping_since(child);
      if (!now.empty() && now == before) kill(child, SIGKILL);
      before = now;
      continue;
    }
    const ssize_t count = read(from, part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(part.data(), static_cast<std::size_t>(count));
  }
}

std::string lower_first(std::string text) {
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return text;
}

std::string end_of(int status) {
  if (WIFEXITED(status)) {
    const int code = WEXITSTATUS(status);
    return code == good || code == threw ? ""
           : code == out_of_memory       ? "too much memory"
                                         : "an error of its own";
  }
  const int number = WTERMSIG(status);
  const bool from_outside = number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGKILL;
  return from_outside ? "" : lower_first(strsignal(number));
}

}  // namespace

Trial try_first(const std::function<std::string()>& work, std::uint64_t room) {
  std::array<int, 2> ends{};
  if (!may_copy() || pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  const pid_t child = fork();
  if (child == 0) be_child(work, room, ends[1]);
  close(ends[1]);
  Trial trial;
  if (child > 0) trial.said = read_all(ends[0], child);
  close(ends[0]);
  if (child < 0) return {};
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return {};
  trial.end = end_of(status);
  return trial;
}

}  // namespace mote::sim
