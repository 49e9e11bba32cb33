#pragma once

#include <string>
#include <vector>

#include "engine/json_fwd.h"
#include "engine/params.h"
#include "sim/field/fields.h"
#include "sim/scene/reader.h"

namespace mote::sim {

/// What may stand in `fields`: functions of Lua scenes, `kind` of JSON ones.
const std::vector<std::string>& field_kinds();

/// Reads the list `fields` of a scene, noting all problems. `echo` receives it in full, expressions
/// as their texts.
std::vector<Field> read_fields(Reader& reader, const Value& list, engine::Json& echo);

/// Descriptions of all fields, for the schema.
std::vector<engine::ParamSheet> field_sheets();

}  // namespace mote::sim
