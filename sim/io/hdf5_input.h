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

/// Private to sim/io: how snapshots are read. All throw InputError for what is wrong in the file.
namespace mote::sim::hdf5 {

/// A snapshot that is being read, by mote-read (engine/read_process.h); knows how to complain. One
/// at a time in a thread.
class Input {
 public:
  Input(const std::filesystem::path& path, const std::string& place);

  const std::string& name() const { return path_; }

  [[noreturn]] void wrong(const std::string& problem, const std::string& remedy = "") const {
    throw engine::InputError(path_, problem, remedy);
  }

  /// Down to datasets of groups.
  bool has(const std::string& name) const { return names_.contains(name); }

  /// The numbers of an attribute; none when it is missing or holds something else.
  std::vector<double> numbers(const char* group, const char* name) const;
  double number(const char* group, const char* name, double otherwise) const;
  /// The same of a whole number, in all of its digits.
  std::uint64_t whole_number(const char* group, const char* name) const;
  /// The texts of an attribute.
  std::vector<std::string> texts(const char* group, const char* name) const;
  std::string text(const char* group, const char* name) const;

  /// What the reader answers.
  engine::Unpacker ask(const engine::Packer& request) const;

 private:
  struct Attribute {
    std::vector<double> numbers;
    std::uint64_t whole = 0;
    std::vector<std::string> texts;
  };
  const Attribute* attribute(const char* group, const char* name) const;

  std::string path_;
  mutable engine::ReadSession session_;
  engine::ReadLimits limits_;
  std::set<std::string> names_;
  std::map<std::string, Attribute> attributes_;
};

/// Rows that are read at a time.
inline constexpr std::uint64_t read_block = 65536;

/// Rows of a dataset, as it says itself.
std::uint64_t rows_of(const Input& in, const std::string& name);

/// Looks whether a dataset has one row of `columns` numbers per body. Returns the bytes of a
/// number.
std::size_t expect_rows(const Input& in, const std::string& name, std::uint64_t rows,
                        std::uint64_t columns);

/// Reads the rows from `first` on, all of their numbers finite.
std::vector<double> read_block_of(const Input& in, const std::string& name, std::uint64_t first,
                                  std::uint64_t rows, std::uint64_t columns);

/// Reads the rows block by block and gives `take(row, numbers)` each of them.
template <class Take>
void read_rows(const Input& in, const std::string& name, std::uint64_t rows, std::uint64_t columns,
               Take take) {
  expect_rows(in, name, rows, columns);
  for (std::uint64_t first = 0; first < rows; first += read_block) {
    const std::uint64_t some = std::min(read_block, rows - first);
    const std::vector<double> buffer = read_block_of(in, name, first, some, columns);
    for (std::uint64_t i = 0; i < some; ++i) take(first + i, &buffer[i * columns]);
  }
}

/// One a body, each in the range of its type.
template <class T>
void read_whole_numbers(const Input& in, const std::string& name, std::uint64_t rows,
                        std::vector<T>& to) {
  read_rows(in, name, rows, 1, [&](std::uint64_t row, const double* number) {
    if (!(*number >= 0 && *number <= std::numeric_limits<T>::max()))
      in.wrong(fmt::format("{}: row {} holds {}", name, row, *number));
    to.push_back(static_cast<T>(*number));
  });
}

/// The text of a dataset of bytes.
std::string read_text(const Input& in, const std::string& name);

/// Number of bodies of each type, after a look at what mote cannot take.
std::vector<std::uint64_t> read_counts(const Input& in);

/// How far a unit of a file may be from ours: files carry rounded units, 1.989e43 g, 3.085678e21
/// cm.
inline constexpr double unit_slack = 2e-3;

/// A unit of the file in CGS, wherever the programs put it.
std::optional<double> file_unit(const Input& in, const char* name);

/// The bodies of all types. With `present`, columns that are missing are zeros, and said there;
/// else they are wrong.
Bodies read_bodies(const Input& in, const std::vector<std::uint64_t>& counts,
                   ColumnChoice* present = nullptr);

}  // namespace mote::sim::hdf5
