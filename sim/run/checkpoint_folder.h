#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "sim/run/checkpoint.h"

namespace mote::sim {

/// The checkpoints of a run, checkpoints/checkpoint_STEP.h5 in its folder.
class CheckpointFolder {
 public:
  /// `keep`: how many stay, 1 or more.
  CheckpointFolder(const std::filesystem::path& run, int keep)
      : folder_(run / "checkpoints"), keep_(keep) {}

  /// The name of that of a step; the folder is there then.
  std::filesystem::path name(std::uint64_t step) const;
  /// Removes the oldest beyond those that stay.
  void thin() const;
  /// Removes those behind a step, of a past that is given up, and what is left of unfinished ones.
  /// One that cannot be read is not removed, but gets another name: .damaged behind its own.
  void cut(std::uint64_t step) const;

 private:
  std::filesystem::path folder_;
  int keep_;
};

/// All checkpoints in the folder of a run, in the order of their steps; the one that a window
/// leaves (final.h5) last.
std::vector<std::filesystem::path> checkpoints_in(const std::filesystem::path& run);

/// The step in the name of one, or nothing.
std::optional<std::uint64_t> step_of(const std::filesystem::path& checkpoint);

/// The newest that can be read; the log says which ones could not. At most that of step `upto`.
/// Throws InputError when there is none.
Checkpoint newest_checkpoint(const std::filesystem::path& run,
                             std::optional<std::uint64_t> upto = {});

}  // namespace mote::sim
