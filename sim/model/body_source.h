#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/types.h"
#include "sim/initial/bodies.h"
#include "sim/initial/chain.h"

namespace mote::sim {

/// Bodies yet to be made: their number, and a function that makes them.
struct BodySource {
  engine::Index count = 0;
  std::function<Bodies(const MakeContext&)> make;
  std::vector<ChainLinks> chains = {};  ///< bonds along chains
  bool fixed = false;                   ///< whether some of them may be fixed
  bool needs_copy = false;              ///< keeps them, or makes them from those of several sources
};

inline engine::Index body_count(const std::vector<BodySource>& sources) {
  engine::Index count = 0;
  for (const BodySource& s : sources) count += s.count;
  return count;
}

/// Optional keys that bodies of a scene may have.
struct BodyTraits {
  std::vector<std::string> species;  ///< names allowed for `species`
  bool radius = false;               ///< whether `radius` is allowed
  bool constraints = false;          ///< whether generators of constrained bodies are allowed
  bool fixed = true;                 ///< whether `fixed` is allowed
  bool mass_from_density = false;    ///< whether masses may follow from radii
};

}  // namespace mote::sim
