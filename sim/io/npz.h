#pragma once

#include <filesystem>

#include "sim/io/snapshot.h"

namespace mote::sim {

/// Writes an archive of arrays for numpy.load: the chosen columns under their names, in the
/// precision of the state (position and velocity n x 3), the numbers time, step, softening and
/// gravitational (G), and the texts title, units (name of the system) and, with species,
/// species_names, where species s > 0 has the name s - 1. Contacts are columns contact_NAME.
/// Output is reproducible byte for byte. Writes atomically; throws SystemError.
void write_npz(const std::filesystem::path& path, const SnapshotData& data);

}  // namespace mote::sim
