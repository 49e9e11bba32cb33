#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/units.h"
#include "sim/io/snapshot.h"
#include "sim/state.h"

namespace mote::sim {

/// What a file of one moment says beside the numbers of the bodies.
struct MomentFacts {
  double time = 0;
  std::uint64_t step = 0;
  std::optional<std::uint64_t> hash;  ///< of the state
  engine::UnitSystem units;
  double gravitational = 0;  ///< G in these units
  double softening = 0;      ///< length
  std::string title;         ///< of the scene
  std::vector<SnapshotSpecies> kinds;
  ColumnChoice columns;          ///< those that are known
  std::optional<Domain> domain;  ///< of scenes that have one; files do not say
};

/// One moment of a simulation, with bodies of its own, and radii of these where it has them.
/// Accelerations are not among them.
struct Moment {
  MomentFacts facts;
  State<engine::Host> state;
  std::optional<ContactNetwork> contacts = {};  ///< where the file has them
};

/// A moment as writers take it; state and facts stay where they are. A hash that is not known is 0.
SnapshotData data_of(const State<engine::Host>& state, const MomentFacts& facts);

SnapshotData data_of(const Moment& moment);

/// Columns that only some scenes have, as writers take them: those that are shown, or `all` that
/// are kept.
std::vector<SnapshotExtra> extras_of(const State<engine::Host>& state, bool all);

/// The bodies of a file as a state: every number of a float is one of a double. Ids and species are
/// for the caller.
State<engine::Host> state_of(const Bodies& bodies, engine::Precision precision,
                             const StateShape& shape);

/// All of a state but what follows from the rest: accelerations and other rates.
State<engine::Host> copy_of(const State<engine::Host>& state);

/// What a snapshot says of itself, without its bodies.
struct SnapshotHead {
  MomentFacts facts;
  engine::Index count = 0;
  engine::Precision precision = engine::Precision::full;  ///< single, or full for doubles
  std::string version;  ///< of the mote that wrote it; "" for other programs
  bool checkpoint = false;
};

/// Reads the head of a snapshot or a checkpoint of mote, or of a snapshot in Gadget's HDF5 format
/// of another program, whose units are recognised by their size. Throws as read_snapshot does.
SnapshotHead read_snapshot_head(const std::filesystem::path& path, const std::string& place = "");

/// Reads such a file whole, in its precision. Columns that it does not have are zeros, and not
/// among those of the facts. Bodies of other programs are numbered from 0. `place`: where the user
/// named it.
Moment read_moment(const std::filesystem::path& path, const std::string& place = "");

}  // namespace mote::sim
