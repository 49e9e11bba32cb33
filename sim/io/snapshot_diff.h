#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/io/loaded_snapshot.h"

namespace mote::sim {

/// Difference of one quantity between two snapshots, over the bodies present in both.
struct QuantityDifference {
  std::string name;      ///< position, velocity, mass
  std::string quantity;  ///< kind as in engine/quantity.h
  /// Largest magnitude of the difference and the id of its body; infinite if a value is not finite.
  double absolute = 0;
  std::uint32_t absolute_body = 0;
  /// Largest difference relative to the larger of the two magnitudes; 0 if both are zero.
  double relative = 0;
  std::uint32_t relative_body = 0;
  bool same_bits = true;
};

struct SnapshotDifference {
  double time_a = 0, time_b = 0;
  std::uint64_t step_a = 0, step_b = 0;
  std::vector<QuantityDifference> quantities;  ///< quantities present in both
  std::uint64_t paired = 0;                    ///< bodies present in both
  std::vector<std::uint32_t> only_a, only_b;   ///< ids, ascending
  std::uint64_t other_species = 0;             ///< paired bodies of different species
  bool same_columns = true;                    ///< both have the same columns

  /// Same bodies, same bits, same time and step.
  bool identical() const;
  /// Same bodies, all relative differences of quantities and times at most `tolerance`. Steps may
  /// differ.
  bool within(double tolerance) const;
};

/// Pairs the bodies of two snapshots by id and compares them, as doubles. Both must have the same
/// units.
SnapshotDifference difference_of(const LoadedSnapshot& a, const LoadedSnapshot& b);

}  // namespace mote::sim
