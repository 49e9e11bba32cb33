#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/check.h"
#include "engine/packed.h"
#include "engine/read_process.h"
#include "engine/units.h"
#include "sim/initial/bodies.h"
#include "sim/io/column_choice.h"

/// Private to sim/io: reads snapshots. Everything throws InputError for an invalid file.
namespace mote::sim::hdf5 {

/// A snapshot file, read through mote-read (engine/read_process.h). One at a time per thread.
class Input {
 public:
  Input(const std::filesystem::path& path, const std::string& location);

  const std::string& name() const { return path_; }

  [[noreturn]] void fail(const std::string& problem, const std::string& remedy = "") const {
    throw engine::InputError(path_, problem, remedy);
  }

  /// True if a group, or a dataset in it, exists.
  bool has(const std::string& name) const { return names_.contains(name); }

  /// The numbers of an attribute; empty if it is missing or not numeric.
  std::vector<double> numbers(const char* group, const char* name) const;
  double number(const char* group, const char* name, double otherwise) const;
  /// An integer attribute, without conversion to double.
  std::uint64_t whole_number(const char* group, const char* name) const;
  /// The strings of an attribute.
  std::vector<std::string> texts(const char* group, const char* name) const;
  std::string text(const char* group, const char* name) const;

  /// Sends a request to the reader and returns its answer.
  engine::Unpacker request(const engine::Packer& request) const;

 private:
  struct Attribute {
    std::vector<double> numbers;
    std::uint64_t integer = 0;
    std::vector<std::string> texts;
  };
  const Attribute* attribute(const char* group, const char* name) const;

  std::string path_;
  mutable engine::ReadSession session_;
  engine::ReadLimits limits_;
  std::set<std::string> names_;
  std::map<std::string, Attribute> attributes_;
};

/// Rows read at a time.
inline constexpr std::uint64_t read_block = 65536;

/// Number of rows of a dataset.
std::uint64_t rows_of(const Input& in, const std::string& name);

/// Checks that a dataset has the shape `rows` x `columns`. Returns the bytes per number.
std::size_t expect_rows(const Input& in, const std::string& name, std::uint64_t rows,
                        std::uint64_t columns);

/// Reads `rows` rows from `first` on and checks that they are finite.
std::vector<double> read_block_of(const Input& in, const std::string& name, std::uint64_t first,
                                  std::uint64_t rows, std::uint64_t columns);

/// Reads the rows block by block and calls `use(row, numbers)` for each.
template <class Use>
void read_rows(const Input& in, const std::string& name, std::uint64_t rows, std::uint64_t columns,
               Use use) {
  expect_rows(in, name, rows, columns);
  for (std::uint64_t first = 0; first < rows; first += read_block) {
    const std::uint64_t some = std::min(read_block, rows - first);
    const std::vector<double> buffer = read_block_of(in, name, first, some, columns);
    for (std::uint64_t i = 0; i < some; ++i) use(first + i, &buffer[i * columns]);
  }
}

/// Reads one integer per body and checks that it is in the range of T.
template <class T>
void read_whole_numbers(const Input& in, const std::string& name, std::uint64_t rows,
                        std::vector<T>& to) {
  read_rows(in, name, rows, 1, [&](std::uint64_t row, const double* number) {
    if (!(*number >= 0 && *number <= std::numeric_limits<T>::max()))
      in.fail(fmt::format("{}: row {} holds {}", name, row, *number));
    to.push_back(static_cast<T>(*number));
  });
}

/// Reads a dataset of bytes as text.
std::string read_text(const Input& in, const std::string& name);

/// Number of bodies of each type. Rejects snapshots that mote does not support.
std::vector<std::uint64_t> read_counts(const Input& in);

/// Relative tolerance for units: files have rounded ones, as 1.989e43 g or 3.085678e21 cm.
inline constexpr double unit_slack = 2e-3;

enum class FileUnit { length, mass, velocity };

/// A unit of the file in CGS, from any of the groups where programs store it, by any of its names.
std::optional<double> file_unit(const Input& in, FileUnit unit);

/// The bodies of all types. With `present`, missing columns are zero and cleared in it; without,
/// they are an error.
Bodies read_bodies(const Input& in, const std::vector<std::uint64_t>& counts,
                   ColumnChoice* present = nullptr);

}  // namespace mote::sim::hdf5
