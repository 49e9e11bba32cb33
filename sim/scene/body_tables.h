#pragma once

#include <string>

#include "engine/math/vec.h"
#include "engine/params.h"

namespace mote::sim {

/// A body written out.
struct Body {
  std::string name;
  double mass = 0;
  engine::Vec3d position{0, 0, 0};
  engine::Vec3d velocity{0, 0, 0};
};

/// Bodies out of a file.
struct Csv {
  std::string file;
};

/// Bodies moved together.
struct Group {
  engine::Vec3d axis{0, 0, 1};
  double angle = 0;
  engine::Vec3d position{0, 0, 0};
  engine::Vec3d velocity{0, 0, 0};
};

/// What each of them may hold in a scene.
const engine::ParamTable<Body>& body_table();
const engine::ParamTable<Csv>& csv_table();
const engine::ParamTable<Group>& group_table();

}  // namespace mote::sim
