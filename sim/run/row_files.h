#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/files.h"
#include "engine/json_fwd.h"
#include "sim/run/hooks.h"

namespace mote::sim {

/// Tables that the hooks of a scene write, one file a name: comma-separated values with the time
/// and the step of each row in front. Columns are those of the first row. Like every file of a run
/// they are whole under their names at the end.
class RowFiles {
 public:
  /// The folder is made with the first row. `time_unit`: for the header, may be empty. All files
  /// together take no more than `most_bytes`.
  RowFiles(std::filesystem::path folder, std::string time_unit, std::uint64_t most_bytes)
      : folder_(std::move(folder)), time_unit_(std::move(time_unit)), most_bytes_(most_bytes) {}

  /// Goes on with the files of a run as they were when `positions` was made: what they have more is
  /// cut off, and files that were not there go away. Throws InputError when one has less.
  void go_on(const engine::Json& positions);
  /// How far the files are: {"NAME": {"bytes": 120, "columns": [...]}}.
  engine::Json positions() const;
  /// Hands what was written to the system.
  void flush();

  /// Throws InputError when the name cannot be that of a file here, columns are not those of the
  /// first row, or there is no room for it.
  void row(const std::string& name, double time, std::uint64_t step, const HookRow& row);
  /// Takes back the rows behind a step.
  void cut(std::uint64_t step);
  /// Call once, last.
  void commit();

 private:
  struct File {
    std::vector<std::string> columns;
    std::unique_ptr<engine::GrowingFile> file;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> rows;  ///< steps with rows, and bytes
                                                                ///< before the first
  };
  File& open(const std::string& name, const HookRow& row);
  void check_room(const std::string& name, std::size_t more);
  std::filesystem::path path_of(const std::string& name) const { return folder_ / (name + ".csv"); }

  std::filesystem::path folder_;
  std::string time_unit_;
  std::uint64_t most_bytes_;
  bool warned_ = false;  ///< that half of it is taken
  std::map<std::string, File> files_;
};

/// Bytes of rows that the hooks of a scene write in a run, if it is not trusted.
inline constexpr std::uint64_t most_row_bytes = std::uint64_t{1} << 30;

std::vector<std::string> columns_of(const HookRow& row);
/// The line of a file for a row.
std::string row_text(double time, std::uint64_t step, const HookRow& row);
/// Throws InputError when a row cannot be written: `columns` are those of the first row of its
/// file, null when it is that itself; there are so many files.
void check_row(const std::string& name, const HookRow& row, const std::vector<std::string>* columns,
               std::size_t files);

/// Throws InputError unless `name` is 1 to 64 letters, digits, - and _: what hooks may call a file.
void check_file_name(const std::string& name);

}  // namespace mote::sim
