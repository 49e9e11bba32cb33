#pragma once

namespace mote::app {

/// While it lives, Ctrl+C and SIGTERM ask for a stop instead of ending the process; asking twice
/// ends it at once. So do SIGHUP (a terminal that is closed) and SIGPIPE (output into a closed
/// pipe), as often as they come. One within another changes nothing; never two threads at once.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  static bool asked();
};

}  // namespace mote::app
