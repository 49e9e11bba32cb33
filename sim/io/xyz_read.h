#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/initial/bodies.h"

namespace mote::sim {

/// What an XYZ file leaves open.
struct XyzRequest {
  double mass = 1;  ///< of bodies of which the file says none
  /// The scene's, by number from 1. With none, or where all bodies are of one anyway, the names of
  /// the rows mean nothing.
  std::vector<std::string> species = {};
};

/// Reads bodies from a text file of one of these forms:
/// - XYZ: their number, a comment, and a row `name x y z` or `name x y z vx vy vz` for each.
/// - Extended XYZ, as write_xyz, ASE and OVITO make it: the comment names the columns,
/// Properties=species:S:1:pos:R:3:...
///   Read are pos (or position, positions), velo (vel, velocity, velocities), mass (masses) and species (element, type);
///   other columns are passed over, ids too: mote numbers bodies anew.
/// - A reference configuration of NIST: three lengths of a box, the number of bodies, and a row
/// `index x y z` for each. A name that is one of the species, with "_" for each space in it, makes
/// the body one of them; X, unless it is a species, is a body of none; any other is an error.
/// Numbers are taken as they are. Throws InputError with what is wrong, each with "file:line" (at
/// most 20, then how many more), or, when there is no such file, with `place`: where the user named
/// it.
Bodies read_bodies_xyz(const std::filesystem::path& path, const XyzRequest& request,
                       const std::string& place);

/// The box that bodies of a file are in.
struct XyzBox {
  engine::Vec3d size, center;  ///< [length]
};

/// Reads it from the head of such a file: Lattice="..." of extended XYZ, whose low corner is the
/// origin unless Origin="x y z" says another; three lengths for the comment of plain XYZ, and those
/// of NIST, about the origin (NIST configurations run from -L/2 to L/2), unless the comment has an
/// Origin too. Lattices are boxes along the axes. Throws as above, also where the file has none.
XyzBox read_xyz_box(const std::filesystem::path& path, const std::string& place);

/// The name of a species as a word of an XYZ file.
std::string xyz_word(std::string name);

}  // namespace mote::sim
