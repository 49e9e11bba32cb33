#pragma once

#include <string>
#include <vector>

#include "engine/params.h"
#include "sim/source/value.h"

namespace mote::sim {

/// Where a key that is unknown in the table at `path` belongs: "did you mean integrator = { dt =
/// ... }?". It may be a synonym or a misspelling. `sheets`: scene_sheets(). "" if no table has it.
std::string belongs_elsewhere(const std::vector<engine::ParamSheet>& sheets,
                              const std::string& path, const std::string& key);

/// "write stop = { time = 10 }", for a value that was given in place of the table: with the key
/// that it is most likely meant for; "" if it suits none.
std::string written_as_table(const engine::ParamSheet& table, const Value& value);

/// The field for an acceleration given as gravity: "fields = uniform { acceleration = { 0, 0, -9.81
/// } }"; "" for other values. A number is taken as its size, downwards.
std::string uniform_field_for(const Value& value);

}  // namespace mote::sim
