#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/types.h"
#include "sim/initial/bodies.h"
#include "sim/initial/chain.h"

namespace mote::sim {

/// Bodies that are not made yet: how many, and how.
struct BodySource {
  engine::Index count = 0;
  std::function<Bodies(const MakeContext&)> make;
  std::vector<ChainLinks> chains = {};  ///< what ties them together
};

/// What bodies of a scene may say of themselves beside what every body has.
struct BodyTraits {
  std::vector<std::string> species;  ///< the names that they may choose from
  bool grains = false;               ///< whether they may have a radius
  bool soft = false;                 ///< whether constraints may hold them together
  bool weighed = false;              ///< whether masses follow from radii
};

}  // namespace mote::sim
