#pragma once

namespace mote::app {

/// During its lifetime Ctrl+C and SIGTERM request a stop instead of ending the process; a second
/// one ends it at once. SIGHUP (terminal closed), SIGPIPE (output into a closed pipe) and those of
/// schedulers (SIGUSR1, SIGUSR2, SIGXCPU, SIGALRM) request a stop however often they arrive. Guards
/// may be nested. Not thread-safe.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  static bool requested();
};

/// Requests a stop, as SIGTERM does, when standard input ends. A program that starts mote with a
/// pipe there ends it by closing the pipe, and also if it is killed itself.
void stop_with_standard_input();

/// Ignores all of these signals from now on, in a process that another one ends.
void ignore_requests_to_stop();

}  // namespace mote::app
