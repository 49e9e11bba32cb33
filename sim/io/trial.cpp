#include "sim/io/trial.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace mote::sim {
namespace {

/// What a process that is about to fail would do besides: report, write a core, run others' handlers.
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

std::string lower_first(std::string text) {
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return text;
}

}  // namespace

std::string try_first(const std::function<void()>& work) {
  const pid_t child = fork();
  if (child < 0) return "";
  if (child == 0) {
    be_silent();
    try {
      work();
    } catch (...) {  // whoever does it again finds out
    }
    _exit(0);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return "";
  if (WIFEXITED(status)) return WEXITSTATUS(status) == 0 ? "" : "an error of its own";
  const int number = WTERMSIG(status);
  if (number == SIGINT || number == SIGTERM || number == SIGHUP) return "";
  return lower_first(strsignal(number));
}

}  // namespace mote::sim
