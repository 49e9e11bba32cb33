#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/io/loaded_snapshot.h"

namespace mote::app {

/// File formats of surfaces, "obj" and "ply"; none in builds without pictures.
const std::vector<std::string>& surface_formats();

/// Writes the surfaces of the snapshots of a run as meshes: that of its fluid, the skins and sheets
/// of its soft bodies, and its obstacles, as pictures show them. Solids of other kinds, ropes and
/// bonds are left out.
class SurfaceExport {
 public:
  /// `source`: a run, or a snapshot in one. Throws InputError if there is none, or its scene has no
  /// surfaces.
  SurfaceExport(const std::filesystem::path& source, const sim::SnapshotMetadata& metadata,
                std::string format);
  ~SurfaceExport();
  SurfaceExport(const SurfaceExport&) = delete;
  SurfaceExport& operator=(const SurfaceExport&) = delete;

  /// `on_progress`: called with fractions from 0 to 1.
  void write(const std::filesystem::path& target, const sim::LoadedSnapshot& snapshot,
             const std::function<void(double)>& on_progress) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace mote::app
