#pragma once

#include <span>
#include <string>
#include <vector>

namespace mote::sim {

/// The optional columns of a snapshot file. Ids and positions are always present.
struct ColumnChoice {
  bool velocity = true, mass = true, species = true;

  bool operator==(const ColumnChoice&) const = default;
};

/// id, position, velocity, mass, species.
const std::vector<std::string>& column_names();

/// The choice of these columns; an empty list means all. Throws InputError at `location`, reporting
/// every unknown name.
ColumnChoice columns_named(std::span<const std::string> names, const std::string& location);

/// The columns present in both.
ColumnChoice common(ColumnChoice a, ColumnChoice b);

}  // namespace mote::sim
