#pragma once

#include <atomic>
#include <exception>

namespace mote::engine {

/// Thrown by loops whose work was cancelled; their output is incomplete.
class Cancelled : public std::exception {
 public:
  const char* what() const noexcept override { return "cancelled"; }
};

/// While it lives, loops that this thread starts (run_tasks) poll `flag` between tasks and throw
/// Cancelled once it is set. For long work whose result is no longer needed, such as opening a
/// scene in a window that is being closed.
class Cancellation {
 public:
  explicit Cancellation(const std::atomic<bool>& flag);
  ~Cancellation();
  Cancellation(const Cancellation&) = delete;
  Cancellation& operator=(const Cancellation&) = delete;

 private:
  const std::atomic<bool>* before_;
};

/// Throws Cancelled if this thread's work was cancelled; for parts without loops.
void throw_if_cancelled();

}  // namespace mote::engine
