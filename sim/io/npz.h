#pragma once

#include <filesystem>

#include "sim/io/snapshot.h"

namespace mote::sim {

/// Writes an archive of arrays that numpy.load opens: the chosen columns under their names, in the
/// precision of the state (position and velocity n x 3), and the numbers time, step, softening,
/// gravitational and the texts title, units (name of the system) and, with species, species_names.
/// The same data always makes the same bytes. Throws SystemError; whole or not at all.
void write_npz(const std::filesystem::path& path, const SnapshotData& data);

}  // namespace mote::sim
