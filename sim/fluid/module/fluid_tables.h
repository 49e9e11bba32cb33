#pragma once

#include <cstddef>
#include <vector>

#include "sim/fluid/emitter.h"
#include "sim/fluid/fluid.h"

namespace mote::sim {

/// The fluid of a scene, with all of its tables.
struct FluidTables : Fluid {
  std::vector<bool> walls = {};  ///< true for species, from 1, whose bodies keep their velocity
  std::vector<Emitter> emitters = {};
  std::vector<Drain> drains = {};

  bool is_wall(std::size_t species) const {
    return species > 0 && species <= walls.size() && walls[species - 1];
  }
};

}  // namespace mote::sim
