#pragma once

#include <filesystem>
#include <string>

#include "engine/units.h"
#include "sim/initial/bodies.h"

namespace mote::sim {

/// Reads bodies from a file of comma-separated values. The first line names the columns, in any
/// order:
///   mass, x, y, z      required
///   vx, vy, vz         all three or none; none means at rest
///   name               optional text
///   id                 bodies come in the order of their ids, if these are whole numbers; other
///                      ids are labels, and ignored
/// and those that csv_column_keys() says are ignored.
/// A column name may carry a unit: `mass_msun`, `x_au`, `vx_au_day`. Nothing is converted: the unit
/// must be that of `units`. Empty lines and lines that start with '#' are skipped, but for a line
/// of names just before the first row of numbers, as numpy.savetxt writes its header; fields may be
/// in double quotes and surrounded by spaces; Windows line ends and a byte order mark are accepted.
/// Numbers are read exactly. Throws InputError with every problem, each at "file:line" (at most 20,
/// then the number of further ones), or at `location`, where the user named the file, if it does
/// not exist.
Bodies read_bodies_csv(const std::filesystem::path& path, const engine::UnitSystem& units,
                       const std::string& location);

}  // namespace mote::sim
