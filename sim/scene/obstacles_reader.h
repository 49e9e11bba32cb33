#pragma once

#include <string>
#include <vector>

#include "engine/json_fwd.h"
#include "engine/params.h"
#include "sim/source/reader.h"
#include "sim/source/scene_folder.h"
#include "sim/space/obstacles.h"

namespace mote::sim {

/// Kinds of obstacles: functions of Lua scenes, `kind` in JSON.
const std::vector<std::string>& obstacle_kinds();

/// Reads the list `obstacles` of a scene and reports all problems. Mesh files are in the folder of
/// the scene. `echo` receives the expanded list, meshes with vertices and triangles, so that it
/// needs no other file.
std::vector<ObstacleDescription> read_obstacles(Reader& reader, const Value& list,
                                                SceneFolder& folder, engine::Json& echo);

/// Descriptions of all obstacles, for the schema.
std::vector<engine::ParamSheet> obstacle_sheets();

}  // namespace mote::sim
