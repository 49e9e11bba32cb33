#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/compare/bench_report.h"

namespace mote::app {

/// What to measure, on the machine that the plan names. Empty sizes: those that suit it.
struct BenchRequest {
  std::vector<std::string> what, kernels, steppings;
  std::vector<engine::Precision> precisions;
  std::vector<engine::Index> sizes;
  bool equal_masses = false;  ///< of all bodies of a force
  int repeats = 20;
};

/// Called before and after each row.
struct BenchListener {
  std::function<void(const std::string& doing)> start;
  std::function<void(const BenchRow& row)> done;
};

/// Checks and times all that is asked for. What a plan refuses (more bodies than a kind of stepping
/// can take) is left out.
void run_bench(const BenchRequest& request, const BenchMachine& machine,
               const BenchListener& listener);

}  // namespace mote::app
