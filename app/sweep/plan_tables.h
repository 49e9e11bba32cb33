#pragma once

#include <optional>
#include <string>

#include "app/sweep/plan.h"
#include "engine/params.h"

namespace mote::app {

/// The numbers and texts that stand in a plan itself.
struct PlanHead {
  std::string scene;
  std::int64_t seed = 1, repeats = 1;
  std::optional<std::int64_t> max_failures;
};

/// The tables that stand in a plan.
inline constexpr const char* plan_parts[] = {"set", "grid", "list", "random", "latin_hypercube",
                                             "run"};

/// What stands beside the axes of random and latin_hypercube.
struct SamplesHead {
  std::int64_t samples = 0;
};

/// What stands beside min and max.
struct SpanOptions {
  std::int64_t count = 2;
  bool log = false, whole = false;
};

const engine::ParamTable<PlanHead>& plan_table();
const engine::ParamTable<SweepRun>& run_table();
const engine::ParamTable<SamplesHead>& samples_table();
/// `grid`: with the number of values.
const engine::ParamTable<SpanOptions>& span_table(bool grid);

/// A sweep has no more jobs than this.
inline constexpr std::int64_t most_jobs = 1'000'000;

}  // namespace mote::app
