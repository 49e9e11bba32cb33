#pragma once

#include <filesystem>
#include <string>

#include "sim/initial/bodies.h"
#include "sim/io/snapshot.h"

namespace mote::sim {

/// Reads mass, position and velocity of the gas, dark and star particles of a binary TIPSY file, in
/// this order. The file is of the standard kind (big-endian, as XDR has it) or native to a
/// little-endian machine, with or without four bytes of padding behind its header; which, its
/// header shows. Numbers are taken as they are.
///   header      time (double); bodies, dimensions, gas, dark, stars (int32)
///   gas         mass, position, velocity, density, temperature, smoothing, metals, potential (12 floats)
///   dark        mass, position, velocity, softening, potential (9 floats)
///   star        mass, position, velocity, metals, time of birth, softening, potential (11 floats)
/// (Katz and Quinn, TIPSY manual, University of Washington.) Throws InputError when the length of
/// the file is not what the header announces, for numbers that no body can have, and for files of
/// fewer dimensions. `place`: where the user named the file.
Bodies read_bodies_tipsy(const std::filesystem::path& path, const std::string& place = "");

/// Writes such a file of the standard kind: all bodies as dark matter, in their order, with the
/// softening of the data and without potentials. Ids and species have no place in it, and numbers
/// become floats; columns that are not chosen are zeros. Throws InputError when a number is beyond
/// floats, and SystemError; whole or not at all.
void write_tipsy(const std::filesystem::path& path, const SnapshotData& data);

}  // namespace mote::sim
