#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/check.h"
#include "engine/units.h"

namespace mote::sim {

/// Meaning of the columns of a file of bodies.
struct CsvColumns {
  static constexpr std::size_t numbers = 7;  ///< mass, x, y, z, vx, vy, vz

  std::vector<std::string> header;  ///< column names as in the file
  /// Per column: 0 mass, 1..3 position, 4..6 velocity, or none.
  std::vector<std::optional<std::size_t>> slot;
  std::optional<std::size_t> name, id;  ///< indices of the columns of names and ids
};

/// Parses a header line; see read_bodies_csv. Appends its errors, at `location`, to `problems`.
CsvColumns read_csv_columns(const std::vector<std::string>& header, const engine::UnitSystem& units,
                            const std::string& location, std::vector<engine::Diagnostic>& problems);

/// Unit suffix of a column name for a quantity, as "_kpc"; "" if it has no unit.
std::string csv_suffix(std::string_view quantity, const engine::UnitSystem& units);

}  // namespace mote::sim
