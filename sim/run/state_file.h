#pragma once

#include <filesystem>
#include <span>

#include "sim/io/moment.h"
#include "sim/io/snapshot.h"
#include "sim/run/simulation.h"

namespace mote::sim {

/// What files say of the present state of a simulation, with the settings that are in force;
/// without its hash.
MomentFacts facts_of(const Simulation& simulation, const SceneDescription& scene);

/// Writes the present state of a simulation as a snapshot, with the settings that are in force, and
/// with texts. `durable` as in SnapshotData. Throws SystemError.
void write_state(const std::filesystem::path& path, Simulation& simulation,
                 const SceneDescription& scene, std::span<const SnapshotText> texts = {},
                 bool durable = false);

}  // namespace mote::sim
