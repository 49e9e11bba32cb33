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
struct BodyFile {
  std::string file;
  double mass = 1;  ///< of bodies of formats that need not say it
};

/// Factors of all bodies of a group.
struct Scale {
  double length = 1, velocity = 1, mass = 1;
};

/// A turning motion of a group.
struct Spin {
  engine::Vec3d axis{0, 0, 1};
  double rate = 0;  ///< radians per unit of time
};

/// Bodies moved together: scaled, turned, spun, then moved.
struct Group {
  Scale scale;
  Spin spin;
  engine::Vec3d axis{0, 0, 1};
  double angle = 0;
  double inclination = 0, node = 0;
  engine::Vec3d position{0, 0, 0};
  engine::Vec3d velocity{0, 0, 0};
};

/// What each of them may hold in a scene.
const engine::ParamTable<Body>& body_table();
const engine::ParamTable<BodyFile>& csv_table();
const engine::ParamTable<BodyFile>& gadget_table();
const engine::ParamTable<BodyFile>& tipsy_table();
const engine::ParamTable<BodyFile>& xyz_table();
const engine::ParamTable<Group>& group_table();
const engine::ParamTable<Scale>& scale_table();
const engine::ParamTable<Spin>& spin_table();

}  // namespace mote::sim
