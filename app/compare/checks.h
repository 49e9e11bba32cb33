#pragma once

#include <functional>
#include <string>

namespace mote::app {

/// Prints one line per check, and counts them.
class Checks {
 public:
  void expect(bool good, const std::string& what);
  /// Runs checks that depend on each other; an exception counts as one failed check.
  void group(const std::string& name, const std::function<void()>& checks);

  int count() const { return count_; }
  int failed() const { return failed_; }

 private:
  int count_ = 0, failed_ = 0;
};

}  // namespace mote::app
