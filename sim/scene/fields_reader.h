#pragma once

#include <string>
#include <vector>

#include "engine/json_fwd.h"
#include "engine/params.h"
#include "sim/field/fields.h"
#include "sim/scene/reader.h"

namespace mote::sim {

/// Kinds of fields: functions of Lua scenes, `kind` in JSON.
const std::vector<std::string>& field_kinds();

/// Reads the list `fields` of a scene and reports all problems. `echo` receives the expanded list,
/// with expressions as text.
std::vector<Field> read_fields(Reader& reader, const Value& list, engine::Json& echo);

/// Descriptions of all fields, for the schema.
std::vector<engine::ParamSheet> field_sheets();

}  // namespace mote::sim
