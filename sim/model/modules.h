#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/text.h"
#include "sim/model/physics.h"
#include "sim/model/reading.h"

namespace mote::sim {

/// One module of physics, whether a scene has it or not.
struct PhysicsModule {
  const ModuleInfo& (*info)();
  /// Reads its tables; null if the scene has none.
  std::unique_ptr<Physics> (*read)(const SceneReading&);
  /// One with the defaults, for a module that a change of its live parameters adds to a running
  /// scene, and removes again (Physics::acts); null for others.
  std::unique_ptr<Physics> (*make)() = nullptr;
};

/// All modules, in the order in which their forces run.
const std::vector<PhysicsModule>& modules();

/// Subjects of the modules for which `is(info)`, "lennard_jones, fluid or grains".
template <class Is>
std::vector<std::string> subjects_where(const Is& is) {
  std::vector<std::string> all;
  for (const PhysicsModule& m : modules())
    if (is(m.info())) all.push_back(m.info().subject);
  return all;
}

/// The names of these modules as text, "grains or soft".
template <class Is>
std::string joined_subjects(const Is& is) {
  return engine::joined(subjects_where(is), " or ");
}

/// The module of which a function of scripts makes items, "uniform", or null.
const ModuleInfo* module_with_function(const std::string& name);
/// Functions of all modules, kinds of items of their lists.
std::vector<std::string> module_functions();

/// Position of a module among modules().
std::size_t rank_of(const ModuleInfo& info);

}  // namespace mote::sim
