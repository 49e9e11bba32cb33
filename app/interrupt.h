#pragma once

namespace mote::app {

/// While it lives, Ctrl+C and SIGTERM ask for a stop instead of ending the process; asking twice ends it at
/// once. One within another changes nothing; never two threads at once.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  static bool asked();
};

}  // namespace mote::app
