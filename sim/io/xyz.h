#pragma once

#include <filesystem>

#include "engine/files.h"
#include "sim/io/snapshot.h"

namespace mote::sim {

/// Writes extended XYZ for OVITO: the number of bodies, a line of properties (Properties=..., Time,
/// step, units, title, pbc, and Lattice and Origin of a closed domain), and one line per body.
/// Columns have OVITO's names (id, pos, velo, mass, species). Spaces in names of species become
/// "_"; "X" means no species. Numbers have the fewest digits that read back as the same double.
/// Writes atomically; throws SystemError.
void write_xyz(const std::filesystem::path& path, const SnapshotData& data);

/// Appends one frame to a file of several.
void add_xyz_frame(engine::AtomicFile& file, const SnapshotData& data);

}  // namespace mote::sim
