#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/gravity/direct.h"
#include "sim/scene/description.h"

namespace mote::sim {

/// What may change while a simulation runs.
struct LiveSettings {
  std::optional<Gravity> gravity;  ///< nothing when the scene has none
  double dt = 0;                   ///< [time], > 0
};

LiveSettings live_of(const SceneDescription& scene);

/// Changes one by its path in the scene, "gravity.softening" or "integrator.dt". Throws InputError
/// when there is no such parameter, it may not change while a simulation runs, or the value is out
/// of its range.
void set_live(LiveSettings& live, const std::string& path, const engine::ParamValue& value);

/// The value of one, or nothing when there is none of this path.
engine::ParamValue live_value(const LiveSettings& live, const std::string& path);

/// All paths that set_live takes for a scene like this.
std::vector<std::string> live_paths(const LiveSettings& live);

/// Whether forces differ, and not only the step.
bool same_forces(const LiveSettings& a, const LiveSettings& b);

}  // namespace mote::sim
