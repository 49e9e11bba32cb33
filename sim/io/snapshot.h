#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/units.h"
#include "sim/contact/contact_network.h"
#include "sim/domain.h"
#include "sim/initial/bodies.h"
#include "sim/io/column_choice.h"

namespace mote::sim {

/// The arrays of a state, one number per body each, in the order of SnapshotData::ids.
template <class T>
struct SnapshotArrays {
  std::span<const T> x, y, z;     ///< length
  std::span<const T> vx, vy, vz;  ///< velocity
  std::span<const T> mass;        ///< mass
};

/// A text of any length that a snapshot carries along: Mote/NAME, a dataset of bytes.
struct SnapshotText {
  std::string name;
  std::string_view text;
};

/// A column that only some scenes have.
struct SnapshotExtra {
  std::string_view name;      ///< of its dataset
  std::string_view quantity;  ///< as in engine/quantity.h; "" for a pure number
  std::variant<std::span<const float>, std::span<const double>> numbers;
};

/// A kind of bodies.
struct SnapshotSpecies {
  std::string name;
  std::string color;  ///< "#rrggbb"
};

/// One moment of a simulation. All spans have the same length, which may be 0; nothing is owned.
struct SnapshotData {
  std::span<const std::uint32_t> ids;  ///< unique, one per body
  std::variant<SnapshotArrays<float>, SnapshotArrays<double>> arrays;
  double time = 0;
  std::uint64_t step = 0;
  std::uint64_t state_hash = 0;
  const engine::UnitSystem& units;
  double gravitational = 0;  ///< G in these units
  double softening = 0;      ///< length
  std::string title = {};    ///< of the scene
  std::span<const SnapshotText> texts = {};
  std::span<const SnapshotSpecies> kinds = {};  ///< of the scene, if it has species
  std::span<const std::uint8_t> species = {};  ///< with kinds: one per body, number among them from
                                               ///< 1, 0 for none
  std::vector<SnapshotExtra> extras = {};
  const ContactNetwork* contacts = nullptr;  ///< where they are to be written
  std::optional<Domain> domain = {};         ///< where it is known
  bool durable = false;  ///< on the disk, not only with the system, when write_snapshot returns
  ColumnChoice columns = {};  ///< the others may be empty
  bool compress = false;      ///< HDF5 only
};

/// Writes an HDF5 file with the names of Gadget, as yt and pynbody read them, in the precision of
/// the arrays: Datasets of bodies have their unit as text and its size in cgs as attributes, unit
/// ("" where the system has none) and CGSConversionFactor. With `compress` they are in chunks,
/// shuffled and deflated.
/// - Header: attributes NumPart_ThisFile, MassTable, Time, BoxSize, ... of Gadget; no cosmology.
/// - Units: attributes UnitLength_in_cm, UnitMass_in_g, UnitVelocity_in_cm_per_s, UnitTime_in_s; 1
/// when the
///   system is dimensionless.
/// - PartType1: Coordinates (n x 3), Velocities (n x 3), Masses (n), ParticleIDs (n); with species:
/// Species (n);
///   extra columns by their names; only the columns that are chosen.
/// - Contacts, where there are some to write: a dataset for each column of for_each_column.
/// - Mote: attributes version, title, units, step, state_hash (16 hexadecimal digits),
/// gravitational,
///   softening; with species their names and colours, in the order of their numbers: species_names,
///   species_colors; the texts.
/// The same data always makes the same bytes. The file appears under its name when whole; on any
/// failure nothing is left behind and SystemError is thrown. Any thread may call this, and waits
/// for others that do.
void write_snapshot(const std::filesystem::path& path, const SnapshotData& data);

/// Reads the bodies of a snapshot of mote or of any program that writes Gadget's HDF5 format in one
/// file: all PartTypes in order, the bodies of each in the order of the file, floats or doubles.
/// Numbers are taken as they are; when `units` is given and the file says that its units are
/// others, that is an error, as are a cosmological snapshot and numbers that no body can have.
/// `place`: where the user named the file, for messages. Throws InputError for what is wrong in the
/// file and SystemError when it cannot be read. A file that the HDF5 library does not survive is an
/// InputError too: it is read by mote-read, in a process of its own.
Bodies read_snapshot(const std::filesystem::path& path, const engine::UnitSystem* units = nullptr,
                     const std::string& place = "");

/// What only mote reads of a snapshot: ids and species in the order of the file, and texts by name.
struct SnapshotOwn {
  std::vector<std::uint32_t> ids;
  std::vector<std::uint8_t> species;  ///< empty when the file has none
  std::map<std::string, std::string> texts;
  std::map<std::string, std::vector<double>> extras;  ///< by name, of columns.h
};

/// Reads ids and species of PartType1 and those of the texts that are there. Throws as
/// read_snapshot does.
SnapshotOwn read_snapshot_own(const std::filesystem::path& path, std::span<const std::string> texts,
                              const std::string& place = "");

}  // namespace mote::sim
