#pragma once

#include <filesystem>

namespace mote::app {

/// A job of a sweep, for one process at a time: a scheduler may start it again before its first
/// process has ended. Locks a byte of a file (.lock in the folder of the sweep) that all jobs share
/// and that stays.
class JobLock {
 public:
  /// Waits until no other process has the job; ends without it where the program is asked to stop
  /// (InterruptGuard). Where the file system knows no locks, no process is kept out.
  JobLock(const std::filesystem::path& out, int number);
  ~JobLock();
  JobLock(const JobLock&) = delete;
  JobLock& operator=(const JobLock&) = delete;
  bool held() const { return held_; }

 private:
  int file_ = -1;
  bool held_ = true;
};

}  // namespace mote::app
