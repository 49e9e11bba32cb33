#pragma once

#include <filesystem>
#include <span>

#include "sim/io/loaded_snapshot.h"
#include "sim/io/snapshot.h"
#include "sim/run/simulation.h"

namespace mote::sim {

/// Metadata for files of the present state of a simulation, with its current settings; without the
/// hash.
SnapshotMetadata metadata_of(const Simulation& simulation, const SceneDescription& scene);

/// Writes the present state of a simulation as a snapshot, with its current settings and with
/// texts. `durable` as in SnapshotData. Throws SystemError.
void write_state(const std::filesystem::path& path, Simulation& simulation,
                 const SceneDescription& scene, std::span<const SnapshotText> texts = {},
                 bool durable = false);

}  // namespace mote::sim
