#pragma once

#include <span>
#include <string>
#include <vector>

namespace mote::sim {

/// Which columns a file of one moment has. Ids and positions are always there.
struct ColumnChoice {
  bool velocity = true, mass = true, species = true;

  bool operator==(const ColumnChoice&) const = default;
};

/// id, position, velocity, mass, species.
const std::vector<std::string>& column_names();

/// The choice of these columns; a list without a name is the choice of all. Throws InputError at
/// `place` with every name that is unknown.
ColumnChoice columns_named(std::span<const std::string> names, const std::string& place);

/// What both have.
ColumnChoice common(ColumnChoice a, ColumnChoice b);

}  // namespace mote::sim
