#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/params.h"
#include "engine/units.h"
#include "sim/scene/model.h"

namespace mote::sim {

/// Parameters that may change while a simulation runs.
struct LiveSettings {
  std::vector<PhysicsParam> physics;  ///< those of the modules
  double dt = 0;  ///< [time], > 0; 0: no limit, of an integrator that chooses its steps
};

/// New values by path, set between the same two steps.
using LiveEdits = std::vector<std::pair<std::string, engine::ParamValue>>;

LiveSettings live_of(const Model& model);
/// Sets the parameters of the model.
void apply(const LiveSettings& live, Model& model);

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
/// Those of any scene; N stands for the number of an item of a list.
std::vector<std::string> all_live_paths();

/// True if the forces are the same; steps may differ.
bool same_forces(const LiveSettings& a, const LiveSettings& b);

}  // namespace mote::sim
