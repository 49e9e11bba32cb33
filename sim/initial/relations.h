#pragma once

#include <string>
#include <vector>

namespace mote::sim {

/// A violated relation between parameters, which the ranges of a parameter table cannot express. A
/// generator with such relations provides `broken_relations(const Owner&)` besides `make`; it is
/// called only if every parameter is in its range.
struct BrokenRelation {
  std::string key;     ///< the parameter to change
  std::string what;    ///< "is larger than radius, 2"
  std::string remedy;  ///< advice on the new value
};

using BrokenRelations = std::vector<BrokenRelation>;

}  // namespace mote::sim
