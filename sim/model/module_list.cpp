#include "sim/model/modules.h"

#include <algorithm>

#include "sim/axles/module/axles_physics.h"
#include "sim/contact/module/grains_physics.h"
#include "sim/field/module/fields_physics.h"
#include "sim/fixed/module/fixed_physics.h"
#include "sim/fluid/module/fluid_physics.h"
#include "sim/gravity/module/gravity_physics.h"
#include "sim/hand/module/hand_physics.h"
#include "sim/molecular/module/bonds_physics.h"
#include "sim/molecular/module/pairs_physics.h"
#include "sim/molecular/module/thermostat_physics.h"
#include "sim/soft/module/soft_physics.h"

namespace mote::sim {

const std::vector<PhysicsModule>& modules() {
  static const std::vector<PhysicsModule> all{
      axles_module(),   // before the forces that push solids, whose sums it clears
      grains_module(),  // before neighbour lists, which are made from wrapped positions: it wraps
                        // grains into a periodic domain
      pairs_module(), bonds_module(), gravity_module(), fields_module(),
      hand_module(),   // after those, whose accelerations its jerk depends on
      fluid_module(),  // after all others, whose accelerations of walls it clears; and after
                       // grains, whose buffers may stall a step: its rates can be read only once
      soft_module(),   // after all others, whose accelerations of pinned bodies it clears
      thermostat_module(),
      fixed_module(),  // after all others, whose accelerations of fixed bodies it clears
  };
  return all;
}

const ModuleInfo* module_with_function(const std::string& name) {
  for (const PhysicsModule& m : modules()) {
    const auto& all = m.info().functions;
    if (std::find(all.begin(), all.end(), name) != all.end()) return &m.info();
  }
  return nullptr;
}

std::vector<std::string> module_functions() {
  std::vector<std::string> all;
  for (const PhysicsModule& m : modules())
    all.insert(all.end(), m.info().functions.begin(), m.info().functions.end());
  return all;
}

std::size_t rank_of(const ModuleInfo& info) {
  std::size_t rank = 0;
  while (modules()[rank].info().subject != info.subject) ++rank;
  return rank;
}

}  // namespace mote::sim
