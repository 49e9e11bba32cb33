#pragma once

#include <atomic>
#include <exception>

namespace mote::engine {

/// What loops throw where their work was cancelled; what they were to write is not whole.
class Cancelled : public std::exception {
 public:
  const char* what() const noexcept override { return "cancelled"; }
};

/// While it lives, loops that this thread starts (run_tasks) look at `asked` between their tasks,
/// and end by Cancelled once it is set: for work of minutes whose result is thrown away, such as
/// opening a scene of a window that closes.
class Cancellation {
 public:
  explicit Cancellation(const std::atomic<bool>& asked);
  ~Cancellation();
  Cancellation(const Cancellation&) = delete;
  Cancellation& operator=(const Cancellation&) = delete;

 private:
  const std::atomic<bool>* before_;
};

/// Throws Cancelled where this thread's work is; between parts that have no loops.
void throw_if_cancelled();

}  // namespace mote::engine
