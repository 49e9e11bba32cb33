#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "engine/files.h"

namespace mote::sim {

/// The folder of a run, for one process alone from the first look at it to the end. What is locked
/// is its log.txt, by which it is known for the folder of a run, too: it is made first, removed
/// last, and emptied but not removed by a run that takes the place of another.
class RunClaim {
 public:
  /// For a new run: `wanted`, or out, out-2, out-3, ... when it is empty. Throws InputError when
  /// the folder holds a run already and `force` is not set, when it holds other files that a run
  /// would overwrite, and when another process is writing there. Changes nothing but that it makes
  /// the folder and an empty log.txt.
  RunClaim(const std::filesystem::path& wanted, bool force);
  /// For going on with the run in a folder. Throws InputError when another process is writing
  /// there.
  explicit RunClaim(const std::filesystem::path& run);
  RunClaim(RunClaim&&) noexcept = default;
  RunClaim& operator=(RunClaim&&) = delete;
  /// Where no run has begun, what was made is removed again, but folders above.
  ~RunClaim();

  const std::filesystem::path& path() const { return folder_; }

  /// Removes what an earlier run has left and calls `make`, which makes the first files of the new
  /// one. When that throws, it leaves nothing that stands in the way of the next one.
  void begin(const std::function<void()>& make);

 private:
  bool take(const std::filesystem::path& folder);
  void clear() const;

  std::filesystem::path folder_;
  std::unique_ptr<engine::FileLock> lock_;
  bool made_ = false;    ///< the folder is of this claim
  bool unused_ = false;  ///< no run has been there yet
};

/// Throws InputError where something that the run in a folder would write into is a link out of it:
/// the folder may have been made by another user.
void expect_no_way_out(const std::filesystem::path& run);

/// Makes a folder and those above it; whether it was not there. Throws SystemError.
bool make_folder(const std::filesystem::path& folder);

}  // namespace mote::sim
