#pragma once

#include "sim/scene/description.h"

namespace mote::sim {

/// Keys of a scene whose values are tables.
const std::vector<std::string>& subtable_names();

/// Descriptions of the tables of a scene that belong to no module.
const engine::ParamTable<SceneHead>& scene_table();
const engine::ParamTable<Stop>& stop_table();
const engine::ParamTable<Series>& series_table();
const engine::ParamTable<Snapshots>& snapshots_table();
const engine::ParamTable<CheckpointTimes>& checkpoints_table();
const engine::ParamTable<HealthLimits>& health_table();
const engine::ParamTable<Species>& species_table();
const engine::ParamTable<View>& view_table();
const engine::ParamTable<View>& clip_table();
const engine::ParamTable<Camera>& camera_table();

/// All that can change of a view while a scene is open: parameters with their paths, "view.map".
struct ViewParam {
  std::string path;
  engine::Param<View> param;
};
const std::vector<ViewParam>& view_params();

}  // namespace mote::sim
