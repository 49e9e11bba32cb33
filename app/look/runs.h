#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/json_fwd.h"

namespace mote::app {

/// A run or a sweep in a folder. The facts are `kind` ("run", "sweep", or "unreadable" with the
/// `reason`), `name`, `status` (as docs/runs.md lists them) and `written` (UTC), and as far as they
/// are known `title`, `reason`, `progress` (0 to 1), of a run `host` (while its run.json says
/// running), `steps`, `time`, `time_text` and `state_hash`, of a sweep `jobs` and `statuses`, the
/// number of its jobs by status.
struct FoundRun {
  int id = 0;                    ///< stays the same as long as the list exists
  std::filesystem::path folder;  ///< as found: below the folder that is searched
  engine::JsonBox facts;
};

/// The runs and sweeps in a folder and its subfolders. Symbolic links and hidden folders are not
/// followed, and runs and sweeps are not searched for others.
class RunList {
 public:
  /// Levels of folders that are searched: 1 is those directly in the folder.
  static constexpr int deepest = 3;
  static constexpr std::size_t most_runs = 1000, most_folders = 20'000;

  /// Throws InputError if this is no folder.
  explicit RunList(std::filesystem::path folder);
  ~RunList();

  /// Searches the folder. Runs whose files have not changed are not read again.
  void update();

  const std::filesystem::path& folder() const { return folder_; }
  const std::vector<FoundRun>& runs() const { return runs_; }  ///< by name
  /// Returns what the search has left out, one sentence for each reason.
  const std::vector<std::string>& omissions() const { return omissions_; }
  /// Returns the run with this id; null if it is not in the list any more.
  const FoundRun* find(int id) const;

 private:
  struct Known;
  struct Search;
  void read(const std::filesystem::path& folder, bool sweep);
  void add_problem(const std::filesystem::path& folder, const std::string& reason);
  FoundRun& add(const std::filesystem::path& folder);

  std::filesystem::path folder_;
  std::vector<FoundRun> runs_;
  std::vector<std::string> omissions_;
  std::map<std::string, Known> known_;  ///< by name
};

/// Prints the list as a table.
void print_runs(const RunList& list);

}  // namespace mote::app
