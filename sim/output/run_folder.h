#pragma once

#include <filesystem>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/json_fwd.h"
#include "engine/log.h"
#include "sim/io/series.h"
#include "sim/measure/radial_distribution.h"
#include "sim/output/run_claim.h"
#include "sim/output/snapshot_writer.h"
#include "sim/run/simulation.h"
#include "sim/script/hook_tables.h"

namespace mote::sim {

/// Columns that only some scenes have.
struct SeriesParts {
  bool temperature, displacement, constraint_energy;  ///< temperature includes pressure
};
SeriesParts series_parts(const SceneDescription& scene);
/// The columns that a file of this scene with this header has: runs of older versions have fewer.
SeriesParts series_parts(const SceneDescription& scene, std::string_view header);

/// The files of one run: scene.lua (scene/ if it has several files), log.txt, series.csv,
/// snapshots/, run.json, and the outputs of hooks: rows/, pictures/. Files get their final names
/// when complete. Tables are written under partial names, which they keep if the run is
/// interrupted, so that it can be resumed.
class RunFolder {
 public:
  /// Removes the files of an earlier run, writes the scene, opens series.csv and the log.
  RunFolder(RunClaim claim, const SceneDescription& scene);
  /// Resumes the run in a folder as it was when `sizes` was made: removes later output. Throws
  /// InputError when earlier output is missing.
  RunFolder(RunClaim claim, const SceneDescription& scene, const engine::Json& sizes);
  ~RunFolder();

  const std::filesystem::path& path() const { return folder_; }

  void series_row(const Measurement& measurement);

  /// Appends to rows/NAME.csv, for hooks.
  void hook_row(const std::string& name, const Simulation& simulation, const HookRow& row);

  /// Remove the rows after a step, of series.csv and of hooks, when steps are discarded.
  void discard_series_after(std::uint64_t step);
  void discard_hook_rows_after(std::uint64_t step) { hook_tables_.discard_after(step); }

  /// pictures/NAME.png, for hooks; makes the folder. Throws InputError for an invalid name, or when
  /// there are too many pictures.
  std::filesystem::path picture_path(const std::string& name);

  /// Writes snapshots/snapshot_NNNN.h5, or the formats that the scene sets, asynchronously. Returns
  /// the path for the first format. Errors are thrown by a later call.
  std::filesystem::path snapshot(Simulation& simulation, const SceneDescription& scene);
  /// Writes a snapshot for a hook. Throws InputError when there are too many.
  std::filesystem::path hook_snapshot(Simulation& simulation, const SceneDescription& scene);

  /// Writes histogram_SCALAR.csv; returns its path.
  std::filesystem::path histogram(const Histogram& histogram, const engine::UnitSystem& units);

  /// Writes radial_distribution.csv, and the units of its columns beside it; returns its path.
  std::filesystem::path radial_distribution(const RadialCounts& counts,
                                            const engine::UnitSystem& units);

  /// Writes a preliminary run.json.
  void record(const engine::Json& record);

  /// Sizes of the tables and the number of snapshots, for a checkpoint. `sync`: syncs the files to
  /// disk first.
  engine::Json output_sizes(bool sync);

  /// Completes the tables, syncs all files and their names to disk, and writes run.json. Call once,
  /// last.
  void finish(const engine::Json& record);

 private:
  /// Writes everything queued or buffered to disk.
  void sync();

  RunClaim claim_;
  std::filesystem::path folder_;
  std::unique_ptr<engine::LogFile> log_;
  SeriesParts parts_;
  std::vector<SeriesColumn> columns_;
  bool limited_;  ///< limits outputs of hooks, since the scene is not trusted
  std::unique_ptr<SeriesFile> series_;
  HookTables hook_tables_;
  int snapshots_ = 0;
  std::set<std::string> pictures_;  ///< drawn by hooks
  std::vector<SnapshotFormat> formats_;
  SnapshotWriter writer_;  ///< last: destroyed before the members it uses
};

/// The columns of series.csv. Older versions wrote their units into the header, "time [Gyr]".
std::vector<SeriesColumn> series_columns(const SceneDescription& scene, const SeriesParts& parts);
inline std::vector<SeriesColumn> series_columns(const SceneDescription& scene) {
  return series_columns(scene, series_parts(scene));
}

/// The units of the columns that have one, by name, as in series.units.json.
engine::Json units_json(std::span<const SeriesColumn> columns);

/// The values of a row.
std::vector<double> series_values(const Measurement& m, const SeriesParts& parts);

/// A state hash as 16 hexadecimal digits.
std::string hash_text(std::uint64_t hash);

}  // namespace mote::sim
