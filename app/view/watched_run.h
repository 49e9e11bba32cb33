#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "app/view/session.h"

namespace mote::app {

/// A WatchedRun is shared by a window and the run that it shows, which are in different threads.
class WatchedRun {
 public:
  /// The run has made its bodies.
  void show(std::shared_ptr<Session> session) {
    const std::lock_guard lock(mutex_);
    session_ = std::move(session);
  }
  /// Returns the session, once.
  std::shared_ptr<Session> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(session_, nullptr);
  }
  /// The run is over: the window closes.
  void close() { over_ = true; }
  bool is_over() const { return over_; }

 private:
  std::mutex mutex_;
  std::shared_ptr<Session> session_;
  std::atomic<bool> over_{false};
};

}  // namespace mote::app
