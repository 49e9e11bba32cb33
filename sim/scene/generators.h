#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/json_fwd.h"
#include "engine/params.h"
#include "sim/initial/bodies.h"
#include "sim/initial/relations.h"
#include "sim/scene/body_source.h"
#include "sim/scene/reader.h"
#include "sim/scene/scene_folder.h"

namespace mote::sim {

/// A way to make bodies that scenes call by name: plummer { n = 1000 }. To add one: its stem in
/// sim/initial and one line in generators().
struct Generator {
  std::string name;
  std::string help;
  bool random;  ///< takes a random stream
  engine::ParamSheet sheet;
  /// Reads the parameters out of a table at `path`; notes problems. `echo` receives them in full.
  std::function<BodySource(Reader&, const Table&, int line, const std::string& path,
                           engine::Json& echo)>
      read;
  /// Keys beside those of the sheet, of lists that `read` reads and checks itself.
  std::vector<std::string> lists = {};
  bool soft = false;  ///< makes bodies that constraints hold together
};

const std::vector<Generator>& generators();

/// Null when there is none of this name.
const Generator* generator_named(const std::string& name);

/// Where a generator's bodies go: turned about the x axis, then about z, then moved.
struct Placement {
  double inclination = 0;  ///< degrees, about the x axis
  double node = 0;         ///< degrees, about the z axis: longitude of the ascending node
  engine::Vec3d position{0, 0, 0};
  engine::Vec3d velocity{0, 0, 0};
};

const engine::ParamTable<Placement>& placement_table();
void place(Bodies& bodies, const Placement& placement);

/// Notes each broken relation of the parameters in `from` as a problem, at the line of its key.
void note_broken(Reader& reader, const BrokenRelations& relations, const Table& from, int line,
                 const std::string& path);

/// Reads the list `bodies` of a scene (or of a group): bodies written out, generators, files and
/// groups. Bodies written out in a row become one source.
std::vector<BodySource> read_bodies(Reader& reader, const Value& list, const std::string& path,
                                    const BodyTraits& known, SceneFolder& folder,
                                    const engine::UnitSystem& units, engine::Json& echo);

/// Descriptions of all that may stand in `bodies`, for the schema.
std::vector<engine::ParamSheet> body_sheets();

}  // namespace mote::sim
