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

/// The contents of a snapshot file other than the fields of the bodies.
struct SnapshotMetadata {
  double time = 0;
  std::uint64_t step = 0;
  std::optional<std::uint64_t> hash;  ///< hash of the state
  engine::UnitSystem units;
  double gravitational = 0;  ///< G in these units
  double softening = 0;      ///< length
  std::string title;         ///< title of the scene
  std::vector<SnapshotSpecies> kinds;
  ColumnChoice columns;          ///< columns that are present
  std::optional<Domain> domain;  ///< domain of the scene; not read from files
};

/// A snapshot in memory; owns its state, with radii if the file has them, with accelerations and
/// potentials if `metadata.columns` says so.
struct LoadedSnapshot {
  SnapshotMetadata metadata;
  State<engine::Host> state;
  std::optional<ContactNetwork> contacts = {};  ///< if the file has them
  std::vector<double> potential = {};           ///< gravitational, per unit mass [velocity^2]
};

/// A view of a snapshot for the writers; does not copy. An unknown hash becomes 0. Without
/// potentials.
SnapshotData data_of(const State<engine::Host>& state, const SnapshotMetadata& metadata);

SnapshotData data_of(const LoadedSnapshot& snapshot);

/// Optional columns for the writers: the physical fields, or `all` that checkpoints have.
std::vector<SnapshotField> fields_of(const State<engine::Host>& state, bool all);

/// The bodies of a file as a state; converts doubles to `precision`, which is exact for values read
/// from floats. The caller sets ids and species.
State<engine::Host> state_of(const Bodies& bodies, engine::Precision precision,
                             const StateLayout& layout);

/// A copy of a state, with accelerations if they are wanted.
State<engine::Host> copy_of(const State<engine::Host>& state, bool accelerations);

/// Metadata of a snapshot file, without its bodies.
struct SnapshotHead {
  SnapshotMetadata metadata;
  engine::Index count = 0;
  engine::Precision precision = engine::Precision::double_;  ///< single or double_
  std::string version;  ///< version of mote that wrote it; "" for other programs
  bool checkpoint = false;
};

/// Reads the head of a snapshot or checkpoint of mote, or of another program's snapshot in Gadget's
/// HDF5 format, whose unit system is inferred from its unit sizes. Throws as read_snapshot does.
SnapshotHead read_snapshot_head(const std::filesystem::path& path,
                                const std::string& location = "");

/// Reads such a file completely, in its precision. Missing columns are zero and not set in
/// `metadata.columns`. Bodies of other programs get ids from 0. `location`: where the user named
/// the file.
LoadedSnapshot load_snapshot(const std::filesystem::path& path, const std::string& location = "");

}  // namespace mote::sim
