#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/compare/bench_report.h"

namespace mote::app {

/// The measurements that are asked for. Empty sizes: defaults for the backend.
struct BenchRequest {
  std::vector<std::string> what, kernels, steppings;
  std::vector<engine::Precision> precisions;
  std::vector<engine::Index> sizes;
  bool equal_masses = false;  ///< force evaluations have bodies of equal mass
  /// Forces by expansions of this accuracy (sim::Gravity) instead of direct sums.
  std::optional<double> accuracy = {};
  int repeats = 20;
};

/// Called before and after each row.
struct BenchListener {
  std::function<void(const std::string& doing)> start;
  std::function<void(const BenchRow& row)> done;
};

/// Whether forces by expansions in this precision can have this accuracy.
bool expansions_keep(double accuracy, engine::Precision precision);

/// Checks and times all requested configurations. Skips those that a stepping mode does not support
/// (too many bodies).
void run_bench(const BenchRequest& request, const BenchMachine& machine,
               const BenchListener& listener);

}  // namespace mote::app
