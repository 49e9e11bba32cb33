#pragma once

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "engine/json_fwd.h"
#include "engine/log.h"
#include "sim/io/series.h"
#include "sim/measure/radial_distribution.h"
#include "sim/run/row_files.h"
#include "sim/run/run_claim.h"
#include "sim/run/simulation.h"
#include "sim/run/snapshot_writer.h"

namespace mote::sim {

/// The files of one run: scene.lua (a scene in several files: scene/), log.txt, series.csv,
/// snapshots/, run.json, and what hooks write: rows/, pictures/. Files appear under their names
/// when they are whole; tables grow under partial names, which they keep when the run ends before
/// its time, so that it can go on.
class RunFolder {
 public:
  /// Removes what an earlier run has left, writes the scene, opens series and log.
  RunFolder(RunClaim claim, const SceneDescription& scene);
  /// Goes on with the run in a folder as it was when `positions` was made: what was written later
  /// is taken back. Throws InputError when something is missing that had been written.
  RunFolder(RunClaim claim, const SceneDescription& scene, const engine::Json& positions);
  ~RunFolder();

  const std::filesystem::path& path() const { return folder_; }

  void series_row(const Measurement& measurement);

  /// A row of rows/NAME.csv, for hooks (row_files.h).
  void hook_row(const std::string& name, const Simulation& simulation, const HookRow& row);

  /// Take back the rows behind a step, of series.csv and of hooks: their past was given up.
  void cut_series(std::uint64_t step);
  void cut_hook_rows(std::uint64_t step) { rows_.cut(step); }

  /// pictures/NAME.png, for hooks; the folder is there then. Throws InputError when no file can
  /// have that name, or there are too many.
  std::filesystem::path picture_path(const std::string& name);

  /// Has snapshots/snapshot_NNNN.h5 written, or what formats the scene wants, while the caller goes
  /// on; returns the path of the first of them. What goes wrong is thrown by a later call.
  std::filesystem::path snapshot(Simulation& simulation, const SceneDescription& scene);
  /// The same for hooks. Throws InputError when there are too many.
  std::filesystem::path hook_snapshot(Simulation& simulation, const SceneDescription& scene);

  /// Writes histogram_SCALAR.csv; returns its path.
  std::filesystem::path histogram(const Histogram& histogram, const engine::UnitSystem& units);

  /// Writes radial_distribution.csv; returns its path.
  std::filesystem::path radial_distribution(const RadialCounts& counts,
                                            const engine::UnitSystem& units);

  /// Writes run.json as it is until now.
  void record(const engine::Json& record);

  /// How far all files are, for a checkpoint. With `sync` they are on the disk that far.
  engine::Json positions(bool sync);

  /// Completes series.csv, waits until all files and their names are on the disk, and writes
  /// run.json. Call once, last.
  void finish(const engine::Json& record);

 private:
  /// All that was written is on the disk.
  void sync();

  RunClaim claim_;
  std::filesystem::path folder_;
  std::unique_ptr<engine::LogFile> log_;
  std::vector<SeriesColumn> columns_;
  bool thermal_, displacement_;
  bool bounded_;  ///< what hooks write, because the scene is not trusted
  std::unique_ptr<SeriesFile> series_;
  RowFiles rows_;
  int snapshots_ = 0;
  std::set<std::string> pictures_;  ///< that hooks have drawn
  std::vector<SnapshotFormat> formats_;
  SnapshotWriter writer_;  ///< last: ends before what it writes into
};

/// The columns of series.csv with their units, "time [Gyr]".
std::vector<SeriesColumn> series_columns(const SceneDescription& scene);

/// What stands in them. `thermal`: with temperature and pressure.
std::vector<double> series_values(const Measurement& m, bool thermal, bool displacement);

/// "0123456789abcdef" of a state hash.
std::string hash_text(std::uint64_t hash);

}  // namespace mote::sim
