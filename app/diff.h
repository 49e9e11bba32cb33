#pragma once

#include <filesystem>
#include <optional>

namespace mote::app {

/// Two states to be compared: snapshots, checkpoints or folders of runs.
struct DiffRequest {
  std::filesystem::path a, b;
  std::optional<double> tolerance;  ///< relative
  bool json = false;
};

/// Exit code of `mote diff` where the two differ.
inline constexpr int exit_different = 4;

/// Compares and prints. True when they are the same: every bit, or with a tolerance every body
/// within it. Of two runs their last states are compared, and the rows of their series by step; a
/// tolerance is for the states alone. Throws InputError when they cannot be compared: other units,
/// no state.
bool print_difference(const DiffRequest& request);

}  // namespace mote::app
