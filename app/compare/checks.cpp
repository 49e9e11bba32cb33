#include "app/compare/checks.h"
#include "engine/terminal.h"

#include <fmt/format.h>

#include <cstdio>
#include <exception>

namespace mote::app {

void Checks::expect(bool good, const std::string& what) {
  ++count_;
  failed_ += good ? 0 : 1;
  engine::print("{:<7} {}\n", good ? "ok" : "FAILED", what);
  std::fflush(stdout);
}

void Checks::group(const std::string& name, const std::function<void()>& checks) {
  try {
    checks();
  } catch (const std::exception& e) {
    expect(false, name + ": " + e.what());
  }
}

}  // namespace mote::app
