#pragma once

#include <string>
#include <vector>

#include "sim/scene/generator.h"
#include "sim/source/scene_folder.h"

namespace mote::sim {

const std::vector<Generator>& generators();

/// Null when there is none of this name.
const Generator* generator_named(const std::string& name);

/// Reads the list `bodies` of a scene (or of a group): explicit bodies, generators, files and
/// groups. Consecutive explicit bodies become one source.
std::vector<BodySource> read_bodies(Reader& reader, const Value& list, const std::string& path,
                                    const BodyTraits& known, SceneFolder& folder,
                                    const engine::UnitSystem& units, engine::Json& echo);

/// Descriptions of all items of `bodies`, for the schema.
std::vector<engine::ParamSheet> body_sheets();

}  // namespace mote::sim
