#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "sim/output/checkpoint.h"

namespace mote::sim {

/// The checkpoints of a run, checkpoints/checkpoint_STEP.h5 in its folder.
class CheckpointFolder {
 public:
  /// `keep`: number of checkpoints to keep, 1 or more.
  CheckpointFolder(const std::filesystem::path& run, int keep)
      : folder_(run / "checkpoints"), keep_(keep) {}

  /// The path for the checkpoint of a step; makes the folder.
  std::filesystem::path name(std::uint64_t step) const;
  /// Removes the oldest checkpoints in excess of `keep`.
  void prune() const;
  /// Removes checkpoints after a step, of a discarded branch, and partial files. One that cannot be
  /// read is renamed instead, with .damaged appended.
  void discard_after(std::uint64_t step) const;

 private:
  std::filesystem::path folder_;
  int keep_;
};

/// All checkpoints in the folder of a run, ordered by step; the one that the window writes at its
/// end (final.h5) is last.
std::vector<std::filesystem::path> checkpoints_in(const std::filesystem::path& run);

/// The step in the name of a checkpoint, or nothing.
std::optional<std::uint64_t> step_of(const std::filesystem::path& checkpoint);

/// Reads the newest readable checkpoint, no later than step `upto`; logs those that could not be
/// read. Throws InputError when there is none.
Checkpoint newest_checkpoint(const std::filesystem::path& run,
                             std::optional<std::uint64_t> upto = {});

}  // namespace mote::sim
