#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/io/moment.h"

namespace mote::sim {

/// How far one quantity of two moments is apart, over all bodies that both have.
struct QuantityDifference {
  std::string name;      ///< position, velocity, mass
  std::string quantity;  ///< as in engine/quantity.h
  /// Length of the difference of a body, and of which body; infinite where one of the two is not
  /// finite.
  double absolute = 0;
  std::uint32_t absolute_body = 0;
  /// The same over the larger of the two lengths; 0 where both are zero.
  double relative = 0;
  std::uint32_t relative_body = 0;
  bool same_bits = true;
};

struct MomentDifference {
  double time_a = 0, time_b = 0;
  std::uint64_t step_a = 0, step_b = 0;
  std::vector<QuantityDifference> quantities;  ///< of what both have
  std::uint64_t paired = 0;
  std::vector<std::uint32_t> only_a, only_b;  ///< ids, rising
  std::uint64_t other_species = 0;            ///< bodies of both that are of different species
  bool same_columns = true;                   ///< both have the same columns

  /// Same bodies, same bits, same time and step.
  bool identical() const;
  /// Same bodies, whose every relative difference is at most so large; times likewise. Steps may
  /// differ.
  bool within(double tolerance) const;
};

/// Pairs the bodies of two moments by their ids, and compares. Numbers of different precisions are
/// compared as doubles. Both are in the same units.
MomentDifference difference_of(const Moment& a, const Moment& b);

}  // namespace mote::sim
