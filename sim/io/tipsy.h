#pragma once

#include <filesystem>
#include <string>

#include "sim/initial/bodies.h"
#include "sim/io/snapshot.h"

namespace mote::sim {

/// Reads mass, position and velocity of the gas, dark and star particles of a binary TIPSY file, in
/// this order. The file may be standard (big-endian, as in XDR) or little-endian, with or without
/// four bytes of padding after the header, as detected from the header. Numbers are not converted.
///   header      time (double); bodies, dimensions, gas, dark, stars (int32)
///   gas         mass, position, velocity, density, temperature, smoothing, metals, potential
///               (12 floats)
///   dark        mass, position, velocity, softening, potential (9 floats)
///   star        mass, position, velocity, metals, time of birth, softening, potential (11 floats)
/// (Katz and Quinn, TIPSY manual, University of Washington.) Throws InputError if the length of the
/// file does not match the header, for invalid numbers, and for files of fewer dimensions.
/// `location`: where the user named the file.
Bodies read_bodies_tipsy(const std::filesystem::path& path, const std::string& location = "");

/// Writes a standard TIPSY file: all bodies as dark matter, in order, with the softening of the
/// data and potential 0. Ids and species are lost, and numbers are rounded to floats; columns that
/// are not chosen are zero. Writes atomically; throws SystemError, and InputError if a number
/// overflows a float.
void write_tipsy(const std::filesystem::path& path, const SnapshotData& data);

}  // namespace mote::sim
