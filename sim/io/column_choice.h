#pragma once

#include <span>
#include <string>
#include <vector>

namespace mote::sim {

/// The optional columns of a snapshot file. Ids and positions are always present. Those that follow
/// from positions and masses are only written if they are named.
struct ColumnChoice {
  bool velocity = true, mass = true, species = true;
  bool acceleration = false;  ///< due to all forces that do not depend on velocities
  bool potential = false;     ///< gravitational, per unit mass

  bool operator==(const ColumnChoice&) const = default;
};

inline constexpr ColumnChoice every_column{true, true, true, true, true};

/// id, position, velocity, mass, species, acceleration, potential.
const std::vector<std::string>& column_names();

/// The choice of these columns; an empty list means those that are written if none are named.
/// Throws InputError at `location`, reporting every unknown name.
ColumnChoice columns_named(std::span<const std::string> names, const std::string& location);

/// The columns present in both.
ColumnChoice common(ColumnChoice a, ColumnChoice b);

}  // namespace mote::sim
