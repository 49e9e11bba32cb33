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

/// Steps a run again between its checkpoints (from its start to the first one, and from the last
/// one to its end, too) and compares the hashes of the states. Where one differs, says what is
/// known of the first step that does: from the rows of the series, and by stepping twice side by
/// side. Changes nothing. Returns whether all are the same. Throws InputError when there is nothing
/// to compare.
bool verify(const VerifyRequest& request);

}  // namespace mote::app
