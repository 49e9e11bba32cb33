#pragma once

#include <filesystem>

namespace mote::app {

/// Exclusive lock on one job of a sweep, as a scheduler may restart a job before its first process
/// has ended. Locks one byte of .lock in the sweep folder; all jobs share this file, which is never
/// removed.
class JobLock {
 public:
  /// Blocks until no other process holds the job. Returns without the lock if the program is asked
  /// to stop (InterruptGuard). Has no effect on file systems without locks.
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
