#include "app/run/interrupt.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <thread>

namespace mote::app {
namespace {

/// Signals that request a stop, so that no computed results are lost. SIGHUP comes when the
/// terminal is closed, SIGPIPE when the reader of the output has exited. Schedulers send SIGUSR1,
/// SIGUSR2 or SIGALRM before a job's time ends; SIGXCPU comes at the limit of processor time.
constexpr std::array signals{SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGUSR1, SIGUSR2, SIGXCPU, SIGALRM};

volatile std::sig_atomic_t interrupted = 0;
int guard_count = 0;
std::array<struct sigaction, signals.size()> previous{};

bool asks_to_end(int signal) {
  return signal == SIGINT || signal == SIGTERM;
}

extern "C" void on_signal(int signal) {
  interrupted = 1;
  // A second SIGINT or SIGTERM ends the process. The other signals repeat unasked: SIGPIPE at every
  // line, SIGHUP from both shell and system, SIGXCPU every second beyond the limit.
  if (asks_to_end(signal)) std::signal(signal, SIG_DFL);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  if (guard_count++ > 0) return;
  interrupted = 0;
  struct sigaction action {};
  action.sa_handler = &on_signal;
  action.sa_flags = SA_RESTART;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    ::sigaction(signals[i], nullptr, &previous[i]);
    // A signal that was ignored before stays ignored, except SIGINT and SIGTERM: nohup ignores
    // SIGHUP, and sweeps ignore SIGPIPE, because they write to workers that may have exited.
    const bool stays_ignored = previous[i].sa_handler == SIG_IGN && !asks_to_end(signals[i]);
    if (!stays_ignored) ::sigaction(signals[i], &action, nullptr);
  }
}

InterruptGuard::~InterruptGuard() {
  if (--guard_count > 0) return;
  for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &previous[i], nullptr);
}

void stop_with_standard_input() {
  std::thread([] {
    std::array<char, 256> unused{};
    for (;;) {
      const ssize_t count = ::read(STDIN_FILENO, unused.data(), unused.size());
      if (count == 0 || (count < 0 && errno != EINTR)) break;
    }
    ::kill(::getpid(), SIGTERM);
  }).detach();
}

void ignore_requests_to_stop() {
  for (const int signal : signals) std::signal(signal, SIG_IGN);
}

bool InterruptGuard::requested() {
  return interrupted != 0;
}

}  // namespace mote::app
