#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "engine/files.h"

namespace mote::sim {

/// A column of a time series.
struct SeriesColumn {
  std::string name;
  bool integer = false;   ///< values are integers below 2^53 in magnitude, printed without a point
  std::string unit = {};  ///< goes to a file beside the table: scripts survive a change of units
};

/// A text and a number formatted for such a table.
std::string series_field(const std::string& text);
std::string series_number(double value, bool integer = false);

/// A table of numbers written row by row: comma-separated values with a header line. Rows are
/// appended under the partial name of `path`, flushed at most every quarter of a second when a row
/// is added (for `tail -f`); `commit` renames the file, and without it the partial file stays.
/// Numbers are printed with the fewest digits that read back as the same number. Every failure is a
/// SystemError.
class SeriesFile {
 public:
  SeriesFile(const std::filesystem::path& path, std::vector<SeriesColumn> columns);
  /// Continues a table after its first `bytes`, which end with a complete row. Throws InputError if
  /// it is shorter.
  SeriesFile(const std::filesystem::path& path, std::vector<SeriesColumn> columns,
             std::uint64_t bytes);

  /// One value per column.
  void row(std::span<const double> values);
  /// Makes all rows visible to readers of the partial file.
  void flush() { file_.flush(); }
  /// Size so far, including the header.
  std::uint64_t bytes() const { return file_.bytes(); }
  /// Must be the last call.
  void commit() { file_.commit(); }

 private:
  std::vector<SeriesColumn> columns_;
  engine::AppendFile file_;
  std::chrono::steady_clock::time_point flushed_;
};

}  // namespace mote::sim
