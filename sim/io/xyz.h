#pragma once

#include <filesystem>

#include "engine/files.h"
#include "sim/io/snapshot.h"

namespace mote::sim {

/// Writes extended XYZ, as OVITO reads it: the number of bodies, a line of properties
/// (Properties=..., Time, step, units, title, pbc, and of a closed domain Lattice and Origin), and
/// a line a body. Columns have OVITO's names (id, pos, velo, mass, species). The name of a species
/// has "_" where it has space; "X" stands for none. Numbers have the fewest digits that read back
/// as the same double. Throws SystemError; whole or not at all.
void write_xyz(const std::filesystem::path& path, const SnapshotData& data);

/// Adds one moment to a file of several.
void add_xyz_frame(engine::WholeFile& file, const SnapshotData& data);

}  // namespace mote::sim
