#include "app/interrupt.h"

#include <array>
#include <csignal>
#include <cstddef>

namespace mote::app {
namespace {

/// A terminal that is closed and a reader of the output that has ended are no reasons to lose what
/// was computed.
constexpr std::array signals{SIGINT, SIGTERM, SIGHUP, SIGPIPE};

volatile std::sig_atomic_t interrupted = 0;
int guards = 0;
std::array<struct sigaction, signals.size()> before{};

bool is_request(int signal) {
  return signal == SIGINT || signal == SIGTERM;
}

extern "C" void note_interrupt(int signal) {
  interrupted = 1;
  // The others come again: with every line written to a closed pipe, and from shell and system
  // both.
  if (is_request(signal)) std::signal(signal, SIG_DFL);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  if (guards++ > 0) return;
  interrupted = 0;
  struct sigaction noted {};
  noted.sa_handler = &note_interrupt;
  noted.sa_flags = SA_RESTART;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    ::sigaction(signals[i], nullptr, &before[i]);
    // nohup, and sweeps that write to processes which may be gone, have asked for it.
    const bool stays_ignored = before[i].sa_handler == SIG_IGN && !is_request(signals[i]);
    if (!stays_ignored) ::sigaction(signals[i], &noted, nullptr);
  }
}

InterruptGuard::~InterruptGuard() {
  if (--guards > 0) return;
  for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &before[i], nullptr);
}

bool InterruptGuard::asked() {
  return interrupted != 0;
}

}  // namespace mote::app
