#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/check.h"
#include "engine/units.h"
#include "sim/initial/bodies.h"
#include "sim/io/column_choice.h"
#include "sim/io/hdf5_handle.h"
#include "sim/io/trial.h"

/// Private to sim/io: how snapshots are read. All throw InputError for what is wrong in the file.
namespace mote::sim::hdf5 {

/// A snapshot that is being read; knows how to complain.
class Input {
 public:
  Input(const std::filesystem::path& path, const std::string& place);

  hid_t id() const { return file_.get(); }
  const std::string& name() const { return path_; }

  [[noreturn]] void wrong(const std::string& problem, const std::string& remedy = "") const {
    throw engine::InputError(path_, problem, remedy);
  }

  bool has(const std::string& name) const;

  /// The numbers of an attribute; none when it is missing or holds something else.
  std::vector<double> numbers(const char* group, const char* name) const;
  double number(const char* group, const char* name, double otherwise) const;
  /// The same of a whole number, in all of its digits.
  std::uint64_t whole_number(const char* group, const char* name) const;
  /// The texts of an attribute.
  std::vector<std::string> texts(const char* group, const char* name) const;
  std::string text(const char* group, const char* name) const;

 private:
  bool has_link(const std::string& name) const;
  Handle attribute(const char* group, const char* name) const;

  std::string path_;
  Handle file_;
};

/// Rows that are read at a time.
inline constexpr hsize_t read_block = 65536;

/// Rows of a dataset, as it says itself.
hsize_t rows_of(const Input& in, const std::string& name);

/// Opens a dataset of numbers with one row of `columns` numbers per body.
Handle open_rows(const Input& in, const std::string& name, hsize_t rows, hsize_t columns);

/// Reads the rows from `first` on into `buffer`, all of them finite.
void read_block_of(const Input& in, const std::string& name, const Handle& dataset, hsize_t first,
                   hsize_t rows, hsize_t columns, double* buffer);

/// Reads the rows block by block and gives `take(row, numbers)` each of them.
template <class Take>
void read_rows(const Input& in, const std::string& name, hsize_t rows, hsize_t columns, Take take) {
  const Handle dataset = open_rows(in, name, rows, columns);
  std::vector<double> buffer(std::min(rows, read_block) * columns);
  for (hsize_t first = 0; first < rows; first += read_block) {
    const hsize_t some = std::min(read_block, rows - first);
    read_block_of(in, name, dataset, first, some, columns, buffer.data());
    for (hsize_t i = 0; i < some; ++i) take(first + i, &buffer[i * columns]);
  }
}

/// One a body, each in the range of its type.
template <class T>
void read_whole_numbers(const Input& in, const std::string& name, hsize_t rows, std::vector<T>& to) {
  read_rows(in, name, rows, 1, [&](hsize_t row, const double* number) {
    if (!(*number >= 0 && *number <= std::numeric_limits<T>::max()))
      in.wrong(fmt::format("{}: row {} holds {}", name, row, *number));
    to.push_back(static_cast<T>(*number));
  });
}

/// The text of a dataset of bytes.
std::string read_text(const Input& in, const std::string& name);

/// Number of bodies of each type, after a look at what mote cannot take.
std::vector<hsize_t> read_counts(const Input& in);

/// How far a unit of a file may be from ours: files carry rounded units, 1.989e43 g, 3.085678e21 cm.
inline constexpr double unit_slack = 2e-3;

/// A unit of the file in CGS, wherever the programs put it.
std::optional<double> file_unit(const Input& in, const char* name);

/// The bodies of all types. With `present`, columns that are missing are zeros, and said there; else they are wrong.
Bodies read_bodies(const Input& in, const std::vector<hsize_t>& counts, ColumnChoice* present = nullptr);

/// Bytes that a copy may take which reads a file of this length: deflated, and doubles of it.
std::uint64_t room_for(const std::filesystem::path& path);

/// HDF5 1.10 trusts what a file says of itself: damaged ones make it read and write anywhere, and take any memory. So all is
/// done twice, first where that does no harm; what is found wrong there is said here.
template <class Read>
auto read_safely(const std::filesystem::path& path, const Read& read) {
  // Held while this process is copied, so that nothing of HDF5 is half done in the copy, which goes on as its only thread.
  const Exclusive alone;
  const Trial trial = try_first(
      [&] {
        try {
          read();
        } catch (const engine::InputError& error) {
          const engine::Diagnostic& d = error.diagnostics().front();
          return d.place + '\0' + d.problem + '\0' + d.remedy;
        }
        return std::string();
      },
      room_for(path));
  if (!trial.end.empty())
    throw engine::InputError(path.string(), "is damaged: reading it ends the HDF5 library with " + trial.end,
                             "write or copy it again");
  if (!trial.said.empty()) {
    const std::size_t first = trial.said.find('\0'), second = trial.said.find('\0', first + 1);
    throw engine::InputError(trial.said.substr(0, first), trial.said.substr(first + 1, second - first - 1),
                             trial.said.substr(second + 1));
  }
  return read();
}

}  // namespace mote::sim::hdf5
