#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/check.h"
#include "engine/units.h"

namespace mote::sim {

/// What the columns of a file of bodies mean.
struct CsvColumns {
  static constexpr std::size_t numbers = 7;  ///< mass, x, y, z, vx, vy, vz

  std::vector<std::string> header;               ///< names as they stand in the file
  std::vector<std::optional<std::size_t>> slot;  ///< per column: 0 mass, 1..3 position, 4..6
                                                 ///< velocity, or none
  std::optional<std::size_t> name;               ///< the column of names
};

/// Understands a header line; see read_bodies_csv. What is wrong with it is added to `problems`,
/// with `place`.
CsvColumns read_csv_columns(const std::vector<std::string>& header, const engine::UnitSystem& units,
                            const std::string& place, std::vector<engine::Diagnostic>& problems);

/// What stands behind the name of a column of such a quantity: "_kpc"; "" for what has no unit
/// there.
std::string csv_suffix(std::string_view quantity, const engine::UnitSystem& units);

}  // namespace mote::sim
