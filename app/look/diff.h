#pragma once

#include <filesystem>
#include <optional>

namespace mote::app {

/// Two states to compare: snapshots, checkpoints or run folders.
struct DiffRequest {
  std::filesystem::path a, b;
  std::optional<double> tolerance;  ///< relative
  bool json = false;
};

/// Exit code of `mote diff` when the states differ.
inline constexpr int exit_different = 4;

/// Compares two states and prints the differences. Returns true if they are bitwise identical or,
/// given a tolerance, if every body agrees within it. Of two runs, compares the last states and the
/// rows of series.csv at equal times, where one may have more; the tolerance applies to the states
/// only. Throws InputError if they
/// are not comparable: different units, no state.
bool print_difference(const DiffRequest& request);

}  // namespace mote::app
