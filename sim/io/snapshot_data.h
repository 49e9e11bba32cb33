#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/units.h"
#include "sim/contact_network.h"
#include "sim/domain.h"
#include "sim/io/column_choice.h"

namespace mote::sim {

/// Arrays of a state with one number per body, in the order of SnapshotData::ids.
template <class T>
struct SnapshotArrays {
  std::span<const T> x, y, z;                    ///< length
  std::span<const T> vx, vy, vz;                 ///< velocity
  std::span<const T> mass;                       ///< mass
  std::span<const T> ax = {}, ay = {}, az = {};  ///< acceleration
};

/// Text stored with a snapshot as the dataset of bytes Mote/NAME.
struct SnapshotText {
  std::string name;
  std::string_view text;
};

/// An optional column.
struct SnapshotField {
  std::string_view name;      ///< name of its dataset
  std::string_view quantity;  ///< kind as in engine/quantity.h; "" if dimensionless
  std::variant<std::span<const float>, std::span<const double>> numbers;
};

/// A species of bodies.
struct SnapshotSpecies {
  std::string name;
  std::string color;  ///< "#rrggbb"
};

/// A snapshot to be written. All spans have the same length, which may be 0; nothing is owned.
struct SnapshotData {
  std::span<const std::uint32_t> ids;  ///< unique, one per body
  std::variant<SnapshotArrays<float>, SnapshotArrays<double>> arrays;
  double time = 0;
  std::uint64_t step = 0;
  std::uint64_t state_hash = 0;
  const engine::UnitSystem& units;
  double gravitational = 0;  ///< G in these units
  double softening = 0;      ///< length
  std::string title = {};    ///< title of the scene
  std::span<const SnapshotText> texts = {};
  std::span<const SnapshotSpecies> kinds = {};  ///< the scene's species, if it has any
  std::span<const std::uint8_t> species = {};   ///< indices into `kinds` from 1, 0: none; or empty
  std::span<const double> potential = {};       ///< gravitational, per unit mass [velocity^2]
  std::vector<SnapshotField> fields = {};
  const ContactNetwork* contacts = nullptr;  ///< null: not written
  std::optional<Domain> domain = {};         ///< if known
  bool durable = false;                      ///< write_snapshot syncs the file to disk
  ColumnChoice columns = {};                 ///< columns to write; arrays of others may be empty
  bool compress = false;                     ///< HDF5 only
};

}  // namespace mote::sim
