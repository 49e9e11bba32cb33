#pragma once

#include <string>

#include "engine/math/vec.h"
#include "engine/params.h"

namespace mote::sim {

/// An explicit body.
struct Body {
  std::string name;
  double mass = 0;
  engine::Vec3d position{0, 0, 0};
  engine::Vec3d velocity{0, 0, 0};
  std::string color;          ///< "#rrggbb"; "": by the view
  double display_radius = 0;  ///< 0: as others
};

/// Bodies from a file.
struct BodyFile {
  std::string file;
  double mass = 1;  ///< mass of bodies for which the file gives none
};

/// Scale factors of a group.
struct Scale {
  double length = 1, velocity = 1, mass = 1;
};

/// A rigid rotation added to a group.
struct Spin {
  engine::Vec3d axis{0, 0, 1};
  double rate = 0;  ///< radians per unit of time
};

/// Bodies transformed together: scaled, rotated, spun, then translated.
struct Group {
  Scale scale;
  Spin spin;
  engine::Vec3d axis{0, 0, 1};
  double angle = 0;
  double inclination = 0, node = 0;
  engine::Vec3d position{0, 0, 0};
  engine::Vec3d velocity{0, 0, 0};
};

/// The keys of each in a scene.
const engine::ParamTable<Body>& body_table();
const engine::ParamTable<BodyFile>& csv_table();
const engine::ParamTable<BodyFile>& gadget_table();
const engine::ParamTable<BodyFile>& tipsy_table();
const engine::ParamTable<BodyFile>& xyz_table();
const engine::ParamTable<Group>& group_table();
const engine::ParamTable<Scale>& scale_table();
const engine::ParamTable<Spin>& spin_table();

}  // namespace mote::sim
