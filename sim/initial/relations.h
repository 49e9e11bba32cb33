#pragma once

#include <string>
#include <vector>

namespace mote::sim {

/// Something that the ranges of a table cannot say: a relation between parameters that does not
/// hold. A generator that has relations gives `broken_relations(const Owner&)` beside its `make`;
/// every single parameter is in its range when that is called.
struct BrokenRelation {
  std::string key;     ///< the parameter to change
  std::string what;    ///< "is larger than radius, 2"
  std::string remedy;  ///< what is allowed
};

using BrokenRelations = std::vector<BrokenRelation>;

}  // namespace mote::sim
