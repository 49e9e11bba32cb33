#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/units.h"
#include "sim/initial/bodies.h"
#include "sim/io/snapshot_data.h"

namespace mote::sim {

/// Writes an HDF5 file with the names of Gadget, as yt and pynbody read them, in the precision of
/// the arrays. Datasets of bodies have the attributes `unit` (text, "" if the system has none) and
/// CGSConversionFactor (its size in CGS). With `compress` they are chunked, shuffled and deflated.
///   Header     attributes NumPart_ThisFile, MassTable, Time, BoxSize, ... of Gadget; no cosmology
///   Units      attributes UnitLength_in_cm, UnitMass_in_g, UnitVelocity_in_cm_per_s,
///              UnitTime_in_s; 1 if the system is dimensionless
///   PartType1  Coordinates (n x 3), Velocities (n x 3), Masses (n), ParticleIDs (n), with species
///              Species (n), Acceleration (n x 3), Potential (n, in double), optional columns by
///              their names; only the chosen columns
///   Contacts   a dataset for each column of for_each_column; only with contacts
///   Mote       attributes version, title, units, step, state_hash (16 hexadecimal digits),
///              gravitational, softening, with species species_names and species_colors; the texts
/// Output is reproducible byte for byte. The file appears under its name only when complete; on
/// failure nothing remains and SystemError is thrown. Thread-safe; concurrent calls are serialised.
void write_snapshot(const std::filesystem::path& path, const SnapshotData& data);

/// Reads the bodies of a snapshot by mote or any program that writes Gadget's HDF5 format to a
/// single file: all PartTypes in order, the bodies of each in the order of the file, floats or
/// doubles. Numbers are not converted; if `units` is given and the file states different ones, that
/// is an error, as are cosmological snapshots and invalid numbers. `location`: where the user named
/// the file, for messages. Throws InputError for an invalid file and SystemError if it cannot be
/// read. A file that crashes the HDF5 library is an InputError too: mote-read reads it in a
/// separate process.
Bodies read_snapshot(const std::filesystem::path& path, const engine::UnitSystem* units = nullptr,
                     const std::string& location = "");

/// Contents of a snapshot that are specific to mote: ids and species in the order of the file,
/// texts by name.
struct MoteFields {
  std::vector<std::uint32_t> ids;
  std::vector<std::uint8_t> species;  ///< empty if the file has none
  std::map<std::string, std::string> texts;
};

/// Reads ids and species of PartType1, and those of `texts` that exist. Throws as read_snapshot
/// does.
MoteFields read_mote_fields(const std::filesystem::path& path, std::span<const std::string> texts,
                            const std::string& location = "");

/// Reads those of the optional columns of PartType1 that exist, by name. Throws as read_snapshot
/// does.
std::map<std::string, std::vector<double>> read_columns(const std::filesystem::path& path,
                                                        std::span<const std::string> names,
                                                        const std::string& location = "");

}  // namespace mote::sim
