#pragma once

#include <filesystem>

#include "sim/run/plan.h"

namespace mote::app {

struct VerifyRequest {
  std::filesystem::path run;
  sim::RunOptions options;
  sim::Trust trust = sim::Trust::no;
  bool quiet = false, json = false;
};

/// Repeats a run from checkpoint to checkpoint (also from its start to the first, and from the last
/// to its end) and compares state hashes. On a mismatch, narrows down the first step that differs,
/// from the rows of series.csv and by two simulations side by side. Writes nothing. Returns true if
/// all hashes match. Throws InputError if there is nothing to compare.
bool verify(const VerifyRequest& request);

}  // namespace mote::app
