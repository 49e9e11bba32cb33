#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "engine/files.h"

namespace mote::sim {

/// Exclusive use of the folder of a run by one process, by a lock on its log.txt. That file also
/// marks the folder as that of a run: it is created first, removed last, and emptied but not
/// removed by a run that replaces another.
class RunClaim {
 public:
  /// Claims a folder for a new run: `requested`, or the first free one of out, out-2, out-3, ...
  /// when that is empty. Throws InputError when the folder contains a run and `force` is not set,
  /// when it contains other files that a run would overwrite, or when another process is writing
  /// there. Only makes the folder and an empty log.txt.
  RunClaim(const std::filesystem::path& requested, bool force);
  /// Claims the folder of a resumed run. Throws InputError when another process is writing there.
  explicit RunClaim(const std::filesystem::path& run);
  RunClaim(RunClaim&&) noexcept = default;
  RunClaim& operator=(RunClaim&&) = delete;
  /// Unless a run was started, removes what the constructor made, except parent folders.
  ~RunClaim();

  const std::filesystem::path& path() const { return folder_; }

  /// Removes the files of an earlier run and calls `make`, which creates the first files of the new
  /// one. If that throws, removes these again.
  void begin(const std::function<void()>& make);

 private:
  bool acquire(const std::filesystem::path& folder);
  void clear() const;

  std::filesystem::path folder_;
  std::unique_ptr<engine::FileLock> lock_;
  bool made_ = false;    ///< this made the folder
  bool unused_ = false;  ///< no run was started here yet
};

/// Throws InputError when a path that the run in a folder would write to is a symbolic link to
/// outside of it: another user may have made the folder.
void expect_no_links_outside(const std::filesystem::path& run);

/// Makes a folder and its parents. Returns false if it existed. Throws SystemError.
bool make_folder(const std::filesystem::path& folder);

}  // namespace mote::sim
