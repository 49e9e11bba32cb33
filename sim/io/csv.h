#pragma once

#include <filesystem>
#include <string>

#include "engine/units.h"
#include "sim/initial/bodies.h"

namespace mote::sim {

/// Reads bodies from a text file of comma-separated values. The first line names the columns, in
/// any order:
///   mass, x, y, z      required
///   vx, vy, vz         all three or none; none means at rest
///   name               optional text
///   id, species        passed over: mote writes them (write_csv), but numbers bodies anew, and the scene says which species
///                      they are
/// A unit may follow the name of a column, `mass_msun`, `x_au`, `vx_au_day`. Nothing is converted:
/// the unit must be that of `units`. Lines that are empty or start with '#' are skipped; fields may
/// stand in double quotes and may have spaces around them; Windows line ends and a byte order mark
/// are accepted. Numbers are read exactly. Throws InputError with everything that is wrong, each
/// with "file:line" (at most 20, then how many more), or, when there is no such file, with `place`:
/// where the user named it.
Bodies read_bodies_csv(const std::filesystem::path& path, const engine::UnitSystem& units,
                       const std::string& place);

}  // namespace mote::sim
