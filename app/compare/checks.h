#pragma once

#include <functional>
#include <string>

namespace mote::app {

/// Prints one line a check, and counts.
class Checks {
 public:
  void expect(bool good, const std::string& what);
  /// Runs checks that need one another; an exception in them is one that failed.
  void group(const std::string& name, const std::function<void()>& checks);

  int count() const { return count_; }
  int failed() const { return failed_; }

 private:
  int count_ = 0, failed_ = 0;
};

}  // namespace mote::app
