#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "app/view/session.h"

namespace mote::app {

/// A WatchedRun is shared by a window and the run that it shows, which are in different threads.
class WatchedRun {
 public:
  struct Shown {
    std::shared_ptr<Session> session;
    std::filesystem::path folder;  ///< into which the run writes
  };

  /// The run has made its bodies.
  void show(Shown run) {
    const std::lock_guard lock(mutex_);
    shown_ = std::move(run);
  }
  /// Returns what to show, once.
  std::optional<Shown> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(shown_, std::nullopt);
  }
  /// The run is over: the window closes. `failure`: why it could not even begin, or "".
  void close(std::string failure) {
    {
      const std::lock_guard lock(mutex_);
      failure_ = std::move(failure);
    }
    over_ = true;
  }
  bool is_over() const { return over_; }
  std::string failure() const {
    const std::lock_guard lock(mutex_);
    return failure_;
  }
  /// The window has failed, and takes nothing any more.
  void lose_window() { lost_ = true; }
  bool has_window() const { return !lost_; }

 private:
  mutable std::mutex mutex_;
  std::optional<Shown> shown_;
  std::string failure_;  // guarded by mutex_
  std::atomic<bool> over_{false}, lost_{false};
};

}  // namespace mote::app
