#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/check.h"
#include "engine/json_fwd.h"

namespace mote::app {

/// What a run left in its folder, or has left until now.
struct StoredRun {
  std::filesystem::path folder;
  engine::JsonBox record;  ///< run.json; null where there is none yet, or none that can be read
  std::vector<std::filesystem::path> snapshots, checkpoints;  ///< HDF5, in the order of their
                                                              ///< numbers
  std::filesystem::path series;  ///< series.csv, or what there is of it; empty for none
};

/// Throws InputError when the folder holds no run.
StoredRun stored_run(const std::filesystem::path& folder);

/// Whether the word names a folder, which then should hold a run.
bool is_folder(const std::filesystem::path& path);

/// Endings of the snapshots of a run that are no HDF5.
std::vector<std::string> other_formats(const std::filesystem::path& run);

/// What to say of a run without HDF5 snapshots: which others it has, and what makes some that mote
/// reads.
engine::InputError no_snapshots(const StoredRun& run);

/// The state that a run ended with, or came to: of its snapshots and checkpoints the last one.
/// Throws InputError when there is none.
std::filesystem::path last_state(const StoredRun& run);

/// A series.csv: names of its columns, and numbers. A last row that is not whole is left out.
struct StoredSeries {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;

  /// Of a column whose name begins so; its unit may follow. Nothing: columns.size().
  std::size_t column(const std::string& name) const;
};
StoredSeries stored_series(const std::filesystem::path& file);

}  // namespace mote::app
