#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/typed_time.h"
#include "sim/io/formats.h"

namespace mote::app {

/// Snapshots in another format, as the command line asks for them.
struct ExportRequest {
  std::vector<std::filesystem::path> sources;  ///< folders of runs, snapshots, checkpoints
  sim::SnapshotFormat format{};
  std::filesystem::path out;  ///< empty: export/ in the folder of a run, the folder of a snapshot
  sim::ColumnChoice columns;
  bool compress = false;
  TypedTime from, to;  ///< moments in between, and those that are neither earlier nor later
  bool force = false, quiet = false;
};

/// Writes a file for each moment; for VTK an index of all (.pvd), for XYZ one file with all.
/// Everything that is wrong with the request is found before anything is written. Throws InputError
/// and SystemError.
void export_snapshots(const ExportRequest& request);

}  // namespace mote::app
