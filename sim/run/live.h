#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/params.h"
#include "engine/units.h"
#include "sim/model/model.h"

namespace mote::sim {

/// Parameters that may change while a simulation runs.
struct LiveSettings {
  /// Parameters of the modules of the scene, and of modules that it can be given while it runs
  /// (PhysicsModule::make).
  std::vector<PhysicsParam> physics;
  double dt = 0;  ///< [time], > 0; 0: no limit, of an integrator that chooses its steps
};

/// New values by path, set between the same two steps.
using LiveEdits = std::vector<std::pair<std::string, engine::ParamValue>>;

LiveSettings live_of(const Model& model);
/// Sets the parameters of the model. Adds modules that act now, and removes those that do not act
/// any more, which exist only while the scene runs. True if there were any: all forces must be made
/// again.
bool apply(const LiveSettings& live, Model& model);
/// Whether apply() would neither add nor remove modules.
bool same_modules(const LiveSettings& live, const Model& model);

/// Throws InputError if these settings differ from those of the model, and steps of their length
/// are unstable in a module that scenes are given while they run.
void refuse_unstable(const LiveSettings& live, const Model& model);

/// Sets one by its path in the scene, "gravity.softening" or "integrator.dt". Throws InputError if
/// there is no such parameter, it may not change while a simulation runs, or the value is out of
/// range.
void set_live(LiveSettings& live, const std::string& path, const engine::ParamValue& value);

/// Throws InputError unless there is a live parameter of this path.
void expect_live(const LiveSettings& live, const std::string& path);

/// A value for set_live from text, "0.1 pc" or "0.02": with a unit if it has a dimension and the
/// scene units. Throws InputError.
engine::ParamValue live_value_of(const LiveSettings& live, const std::string& path,
                                 const std::string& text, const engine::UnitSystem& units);

/// The value of one, or empty if there is none of this path.
engine::ParamValue live_value(const LiveSettings& live, const std::string& path);

/// All paths that set_live accepts for this scene.
std::vector<std::string> live_paths(const LiveSettings& live);
/// The paths of any scene; N stands for the number of an item of a list.
std::vector<std::string> all_live_paths();

/// The difference between the settings of a simulation before and after a change, steps aside.
struct LiveDifference {
  bool forces = false;     ///< something, so that forces must be evaluated again
  bool potential = false;  ///< the potential energy
};
LiveDifference difference(const LiveSettings& a, const LiveSettings& b);

}  // namespace mote::sim
