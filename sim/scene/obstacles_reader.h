#pragma once

#include <string>
#include <vector>

#include "engine/json_fwd.h"
#include "engine/params.h"
#include "sim/scene/reader.h"
#include "sim/scene/scene_folder.h"
#include "sim/space/obstacles.h"

namespace mote::sim {

/// What may stand in `obstacles`: functions of Lua scenes, `kind` of JSON ones.
const std::vector<std::string>& obstacle_kinds();

/// Reads the list `obstacles` of a scene, noting all problems. Meshes come out of the folder of the
/// scene. `echo` receives all in full, meshes with their vertices and triangles, so that it needs
/// no other file.
std::vector<ObstacleDescription> read_obstacles(Reader& reader, const Value& list,
                                                SceneFolder& folder, engine::Json& echo);

/// Descriptions of all obstacles, for the schema.
std::vector<engine::ParamSheet> obstacle_sheets();

}  // namespace mote::sim
