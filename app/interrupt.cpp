#include "app/interrupt.h"

#include <csignal>

namespace mote::app {
namespace {

volatile std::sig_atomic_t interrupted = 0;
int guards = 0;

extern "C" void note_interrupt(int signal) {
  interrupted = 1;
  std::signal(signal, SIG_DFL);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  if (guards++ > 0) return;
  interrupted = 0;
  std::signal(SIGINT, &note_interrupt);
  std::signal(SIGTERM, &note_interrupt);
}

InterruptGuard::~InterruptGuard() {
  if (--guards > 0) return;
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool InterruptGuard::asked() {
  return interrupted != 0;
}

}  // namespace mote::app
