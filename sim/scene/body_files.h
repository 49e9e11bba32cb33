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

/// A file to be read.
struct BodyFileRequest {
  const std::filesystem::path& file;
  const BodyFile& table;
  const engine::UnitSystem& units;
  /// That bodies of the file may name; none where the scene says which.
  const std::vector<std::string>& species;
  const std::string& place;
};

/// A kind of files of bodies.
struct BodyFileFormat {
  const char* name;
  const engine::ParamTable<BodyFile>& (*table)();
  Bodies (*read)(const BodyFileRequest& from);
  std::uintmax_t largest;
};

/// All kinds.
const std::vector<BodyFileFormat>& body_file_formats();
/// Null when there is none of this name.
const BodyFileFormat* body_file_format(const std::string& name);

/// As a scene writes them. `traits`: the keys that all have; `names`: of the species that bodies
/// know themselves to be.
engine::Json written_out(const Bodies& bodies, const engine::Json& traits,
                         const std::vector<std::string>& names);

}  // namespace mote::sim
