#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/json_fwd.h"
#include "engine/units.h"
#include "sim/initial/bodies.h"
#include "sim/scene/body_tables.h"

namespace mote::sim {

/// A body file to read.
struct BodyFileRequest {
  const std::filesystem::path& file;
  const BodyFile& table;
  const engine::UnitSystem& units;
  /// Species that the file may name; empty if the scene sets one for all bodies.
  const std::vector<std::string>& species;
  const std::string& location;
};

/// A format of body files.
struct BodyFileFormat {
  const char* name;
  const engine::ParamTable<BodyFile>& (*table)();
  Bodies (*read)(const BodyFileRequest& from);
  std::uintmax_t max_bytes;
};

/// All formats.
const std::vector<BodyFileFormat>& body_file_formats();
/// Null when there is none of this name.
const BodyFileFormat* body_file_format(const std::string& name);

/// The bodies as a scene lists them. `traits`: keys that all have; `names`: of the species that
/// Bodies::species numbers.
engine::Json bodies_json(const Bodies& bodies, const engine::Json& traits,
                         const std::vector<std::string>& names);

}  // namespace mote::sim
