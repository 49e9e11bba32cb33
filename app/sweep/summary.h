#pragma once

#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/json_fwd.h"

namespace mote::app {

/// Mean and sample standard deviation of a column; NaN where no run, or only one, has a number.
struct Spread {
  double mean = std::numeric_limits<double>::quiet_NaN(),
         deviation = std::numeric_limits<double>::quiet_NaN();
};

/// The spread of a column at a point of a sweep: of its numbers, and of their magnitudes, which
/// errors of either sign need.
struct ColumnSpread {
  Spread values, magnitudes;
};

/// The number in a cell of a table; empty unless it is one, and finite.
std::optional<double> number_in(const std::string& cell);

/// The runs of a sweep that are done, by the values of parameters.
struct SweepSummary {
  struct Point {
    std::vector<std::string> values;  ///< values of the parameters `by`, as typed
    int runs = 0;
    std::vector<ColumnSpread> columns;
  };
  std::map<std::string, int> statuses;  ///< number of runs
  std::vector<std::string> varied, by;  ///< all parameters, and those that tell points apart
  std::vector<std::string> columns;     ///< columns of numbers, measured or stored by hooks
  std::map<std::string, std::string> units;
  std::vector<Point> points;  ///< sorted by their first job
  std::string first_folder;   ///< folder of the first run that is done, in the sweep's; or ""

  /// Index of a column. Throws InputError, with a suggestion, naming `option`.
  std::size_t column(const std::string& name, const std::string& option) const;
  /// Columns to show where none are chosen: energy error, virial ratio, and what hooks store.
  std::vector<std::string> main_columns() const;
  /// "softening [pc]"
  std::string with_unit(const std::string& name) const;
};

/// True for the folder of a sweep.
bool is_sweep(const std::filesystem::path& folder);

/// results.csv of a sweep as it is written: one row for each job that has ended.
struct SweepResultsTable {
  std::vector<std::string> columns;
  std::map<std::string, std::string> units;  ///< of the columns that have one
  std::vector<std::vector<std::string>> rows;

  /// Index of the column with this name; columns.size() if there is none.
  std::size_t column(const std::string& name) const;
};

/// Reads results.csv; the table is empty if there is none yet. Throws InputError if the units
/// beside it cannot be read.
SweepResultsTable sweep_results(const std::filesystem::path& sweep);

/// Reads results.csv. `by`: parameters that tell points apart; the runs of all values of others
/// count as repeats; empty: all. Throws InputError if there are no results, or no such parameter.
SweepSummary sweep_summary(const std::filesystem::path& sweep,
                           const std::vector<std::string>& by = {});

/// The summary for `mote info`.
engine::Json json_of(const SweepSummary& summary, const std::filesystem::path& sweep);
void print_sweep(const SweepSummary& summary, const std::filesystem::path& sweep);

}  // namespace mote::app
