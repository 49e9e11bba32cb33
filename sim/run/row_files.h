#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/files.h"
#include "engine/json.h"
#include "sim/run/hooks.h"

namespace mote::sim {

/// Tables that the hooks of a scene write, one file a name: comma-separated values with the time and the step of each row
/// in front. Columns are those of the first row. Like every file of a run they are whole under their names at the end.
class RowFiles {
 public:
  /// The folder is made with the first row. `time_unit`: for the header, may be empty.
  RowFiles(std::filesystem::path folder, std::string time_unit)
      : folder_(std::move(folder)), time_unit_(std::move(time_unit)) {}

  /// Goes on with the files of a run as they were when `positions` was made: what they have more is cut off, and files
  /// that were not there go away. Throws InputError when one has less.
  void go_on(const engine::Json& positions);
  /// How far the files are: {"NAME": {"bytes": 120, "columns": [...]}}. With `sync` they are on the disk that far.
  engine::Json positions(bool sync);

  /// Throws InputError when the name cannot be that of a file here, or columns are not those of the first row.
  void row(const std::string& name, double time, std::uint64_t step, const HookRow& row);
  /// Takes back the rows behind a step.
  void cut(std::uint64_t step);
  /// Call once, last.
  void commit();

 private:
  struct File {
    std::vector<std::string> columns;
    std::unique_ptr<engine::GrowingFile> file;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> rows;  ///< step, and bytes before it
  };
  File& open(const std::string& name, const HookRow& row);
  std::filesystem::path path_of(const std::string& name) const { return folder_ / (name + ".csv"); }

  std::filesystem::path folder_;
  std::string time_unit_;
  std::map<std::string, File> files_;
};

/// Throws InputError unless `name` is 1 to 64 letters, digits, - and _: what hooks may call a file.
void check_file_name(const std::string& name);

}  // namespace mote::sim
