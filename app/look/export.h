#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/run/parse_time.h"
#include "sim/io/formats.h"

namespace mote::app {

/// Options of `mote export`: snapshots in another format.
struct ExportRequest {
  std::vector<std::filesystem::path> sources;  ///< run folders, snapshots, checkpoints
  sim::SnapshotFormat format{};
  std::string surfaces;       ///< "obj", "ply": surfaces in place of the bodies; else ""
  std::filesystem::path out;  ///< empty: export/ in the run folder, or the folder of the snapshot
  sim::ColumnChoice columns;
  bool compress = false;
  TypedTime from, to;  ///< time range, both ends included
  bool force = false, quiet = false;
};

/// Writes one file per snapshot; for VTK also an index (.pvd), for XYZ one file with all frames.
/// Surfaces: surface_export.h. Checks the full request before writing anything. Throws InputError
/// and SystemError.
void export_snapshots(const ExportRequest& request);

}  // namespace mote::app
