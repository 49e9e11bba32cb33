#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/files.h"
#include "engine/json_fwd.h"
#include "sim/script/hooks.h"

namespace mote::sim {

/// Tables written by the hooks of a scene, one CSV file per name, and NAME.units.json beside it,
/// as beside series.csv. Each row starts with time and step; the first row defines the columns. As
/// all files of a run, each gets its final name when complete.
///
/// Older versions wrote the unit of time into the header, "time [Gyr]": a table that is resumed
/// keeps its own.
class HookTables {
 public:
  /// The folder is made with the first row. `time_unit`: may be empty. `max_bytes`: limit on the
  /// total size of all tables.
  HookTables(std::filesystem::path folder, std::string time_unit, std::uint64_t max_bytes)
      : folder_(std::move(folder)), time_unit_(std::move(time_unit)), max_bytes_(max_bytes) {}

  /// Resumes the files of a run as they were when `sizes` was made: truncates them, and removes
  /// files that did not exist then. Throws InputError when one is too short.
  void resume(const engine::Json& sizes);
  /// Sizes and columns of the files: {"NAME": {"bytes": 120, "columns": [...]}}.
  engine::Json sizes() const;
  /// Passes buffered data to the operating system.
  void flush();

  /// Appends a row. Throws InputError for an invalid file name, columns other than those of the
  /// first row, or when the size limit is exceeded.
  void add_row(const std::string& name, double time, std::uint64_t step, const HookRow& row);
  /// Removes the rows after a step.
  void discard_after(std::uint64_t step);
  /// Renames the files to their final names. Call once, last.
  void commit();

 private:
  struct File {
    std::vector<std::string> columns;
    std::unique_ptr<engine::AppendFile> file;
    /// Steps with rows, and the offset of the first row of each [bytes].
    std::vector<std::pair<std::uint64_t, std::uint64_t>> rows;
  };
  File& open(const std::string& name, const HookRow& row);
  void check_size(const std::string& name, std::size_t more);
  std::filesystem::path path_of(const std::string& name) const { return folder_ / (name + ".csv"); }
  std::filesystem::path units_path_of(const std::string& name) const;

  std::filesystem::path folder_;
  std::string time_unit_;
  std::uint64_t max_bytes_;
  bool warned_ = false;  ///< that half of it is used
  std::map<std::string, File> files_;
};

/// Limit on the tables of a run with an untrusted scene [bytes].
inline constexpr std::uint64_t max_row_bytes = std::uint64_t{1} << 30;

std::vector<std::string> columns_of(const HookRow& row);
/// The CSV line of a row.
std::string row_text(double time, std::uint64_t step, const HookRow& row);
/// Throws InputError when a row cannot be written. `columns`: of the first row of its file, null if
/// this is the first; `files`: number of files so far.
void check_row(const std::string& name, const HookRow& row, const std::vector<std::string>* columns,
               std::size_t files);

/// Throws InputError unless `name` is 1 to 64 letters, digits, - and _.
void check_file_name(const std::string& name);

}  // namespace mote::sim
