#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/units.h"
#include "sim/initial/bodies.h"

namespace mote::sim {

/// Properties that an XYZ file does not define.
struct XyzRequest {
  double mass = 1;  ///< mass of bodies without one in the file
  /// Names of the scene's species, in order of their numbers from 1. If empty, names in the file
  /// are ignored.
  std::vector<std::string> species = {};
  /// The scene's; if null, those that the file names are ignored.
  const engine::UnitSystem* units = nullptr;
};

/// Reads bodies from a text file of one of these forms:
///   XYZ            their number, a comment, and a line `name x y z` or `name x y z vx vy vz` each
///   extended XYZ   as written by write_xyz, ASE and OVITO: the comment defines the columns,
///                  Properties=species:S:1:pos:R:3:... xyz_column_keys() are read, refused or
///                  ignored; others are refused if they look like a misspelt one, else a warning
///                  says that they are not read. Bodies come in the order of their ids
///   NIST           reference configurations: three box lengths, the number of bodies, and a line
///                  `index x y z` each
/// A name that matches a species (with "_" for spaces) assigns that species; X, unless it is a
/// species, means none; any other name is an error. Numbers are not converted. Throws InputError
/// with every problem, each at "file:line" (at most 20, then the number of further ones), or at
/// `location`, where the user named the file, if it does not exist.
Bodies read_bodies_xyz(const std::filesystem::path& path, const XyzRequest& request,
                       const std::string& location);

/// The box of a file.
struct XyzBox {
  engine::Vec3d size, center;             ///< [length]; size may be 0 along an axis that is open
  bool periodic[3] = {true, true, true};  ///< pbc of the file; without one, all are
};

/// Reads the box from the head of such a file: Lattice="..." of extended XYZ, whose lower corner is
/// Origin="x y z" or the origin; or three lengths, as the comment of plain XYZ or in NIST files,
/// centred at the origin unless the comment has an Origin (NIST configurations span -L/2 to L/2).
/// Only orthorhombic boxes along the axes, up to rounding. Throws as above, also if the file has no
/// box.
XyzBox read_xyz_box(const std::filesystem::path& path, const std::string& location);

/// The name of a species as a word of an XYZ file.
std::string xyz_word(std::string name);

}  // namespace mote::sim
