#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "engine/files.h"

namespace mote::sim {

/// A column of a series of numbers.
struct SeriesColumn {
  std::string name;      ///< with its unit where it has one, as the caller likes it
  bool integer = false;  ///< its values are whole numbers below 2^53 in size and are printed
                         ///< without a point
};

/// A text and a number as they stand in such a table.
std::string series_field(const std::string& text);
std::string series_number(double value, bool integer = false);

/// A table of numbers that grows row by row: comma-separated values with a header line. It grows
/// under the partial name of `path` (`tail -f` sees each row within a quarter of a second of the
/// next) and gets its own name with `commit`; without it, it stays as it is. Numbers are printed
/// with the fewest digits that read back as the same number. Every failure is a SystemError.
class SeriesFile {
 public:
  /// `comment`: lines to be put before the header, each with '#' in front; may be empty.
  SeriesFile(const std::filesystem::path& path, std::vector<SeriesColumn> columns,
             const std::string& comment = "");
  /// Goes on with a table behind its first `bytes`, which end with a row. Throws InputError when it
  /// has less.
  SeriesFile(const std::filesystem::path& path, std::vector<SeriesColumn> columns,
             std::uint64_t bytes);

  /// One value per column.
  void row(std::span<const double> values);
  /// Readers of the partial file see all rows.
  void flush() { file_.flush(); }
  /// Of all rows so far, header included.
  std::uint64_t bytes() const { return file_.bytes(); }
  /// Call once, last.
  void commit() { file_.commit(); }

 private:
  std::vector<SeriesColumn> columns_;
  engine::GrowingFile file_;
  std::chrono::steady_clock::time_point flushed_;
};

}  // namespace mote::sim
