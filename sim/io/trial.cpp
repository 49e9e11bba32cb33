#include "sim/io/trial.h"

#include <fcntl.h>
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

std::string read_all(int from) {
  std::string text;
  std::array<char, 4096> part{};
  for (;;) {
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
  const bool by_user = number == SIGINT || number == SIGTERM || number == SIGHUP;
  return by_user ? "" : lower_first(strsignal(number));
}

}  // namespace

Trial try_first(const std::function<std::string()>& work, std::uint64_t room) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  const pid_t child = fork();
  if (child == 0) be_child(work, room, ends[1]);
  close(ends[1]);
  Trial trial;
  if (child > 0) trial.said = read_all(ends[0]);
  close(ends[0]);
  if (child < 0) return {};
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return {};
  trial.end = end_of(status);
  return trial;
}

}  // namespace mote::sim
