#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/json_fwd.h"
#include "engine/params.h"
#include "sim/initial/bodies.h"
#include "sim/initial/relations.h"
#include "sim/model/body_source.h"
#include "sim/source/reader.h"

namespace mote::sim {

/// A generator of bodies that scenes call by name: plummer { n = 1000 }. To add one, add its files
/// to sim/initial and a line to generators().
struct Generator {
  std::string name;
  std::string help;
  bool random;  ///< takes a random stream
  engine::ParamSheet sheet;
  /// Reads the parameters from a table at `path` and reports problems. `echo` receives the expanded
  /// table.
  std::function<BodySource(Reader&, const Table&, int line, const std::string& path,
                           engine::Json& echo)>
      read;
  /// Keys besides those of the sheet: lists that `read` checks itself.
  std::vector<std::string> lists = {};
  bool constrained = false;  ///< its bodies have constraints
};

/// Placement of a generator's bodies: rotated about x, then about z, then translated.
struct Placement {
  double inclination = 0;  ///< degrees, about the x axis
  double node = 0;         ///< degrees, about the z axis: longitude of the ascending node
  engine::Vec3d position{0, 0, 0};
  engine::Vec3d velocity{0, 0, 0};
};

const engine::ParamTable<Placement>& placement_table();
void place(Bodies& bodies, const Placement& placement, int threads = 1);

/// Reports each violated relation between the parameters in `from`, at the line of its key.
void report_broken(Reader& reader, const BrokenRelations& relations, const Table& from, int line,
                   const std::string& path);

}  // namespace mote::sim
