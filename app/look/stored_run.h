#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/check.h"
#include "engine/json_fwd.h"
#include "engine/units.h"

namespace mote::app {

/// The files in a run folder; the run may still be in progress.
struct StoredRun {
  std::filesystem::path folder;
  engine::JsonBox record;  ///< run.json; null if missing or unreadable
  std::vector<std::filesystem::path> snapshots, checkpoints;  ///< HDF5, ordered by number
  std::filesystem::path series;  ///< series.csv, possibly unfinished; empty for none
};

/// Throws InputError if the folder does not contain a run.
StoredRun stored_run(const std::filesystem::path& folder);

/// The units of the scene in a run.json; null if it names none.
const engine::UnitSystem* units_of(const engine::Json& record);

/// True if the path is an existing folder.
bool is_folder(const std::filesystem::path& path);

/// Tells whether a process of this machine is writing the run in a folder, or runs the sweep there
/// or a part of it; nothing where the file system has no locks. `locked`: what such processes lock:
/// log.txt of a run, the folder of a sweep.
std::optional<bool> is_in_use(const std::filesystem::path& locked);

/// File extensions of snapshots in other formats than HDF5.
std::vector<std::string> other_formats(const std::filesystem::path& run);

/// The error for a run without HDF5 snapshots: which formats it has, and how to write HDF5.
engine::InputError no_snapshots(const StoredRun& run);

/// The latest state of a run: its last snapshot or checkpoint. Throws InputError if there is none.
std::filesystem::path last_state(const StoredRun& run);

/// A series.csv: column names and values. An incomplete last row is skipped.
struct StoredSeries {
  std::vector<std::string> columns, units;  ///< "" for a number without a unit
  std::vector<std::vector<double>> rows;

  /// Index of the column with this name; columns.size() if there is none.
  std::size_t column(const std::string& name) const;
};
StoredSeries stored_series(const std::filesystem::path& file);

}  // namespace mote::app
