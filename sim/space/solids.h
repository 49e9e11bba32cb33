#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/math/vec.h"
#include "engine/params.h"
#include "sim/space/obstacle_formula.h"
#include "sim/space/obstacle_tables.h"
#include "sim/state.h"

/// Solids: the obstacles of one name. What bodies exert on a solid is summed by every module that
/// pushes bodies off obstacles, and an axle of its name lets it turn by that.
namespace mote::sim {

/// An axle in a scene. Without bodies a solid on it turns evenly.
struct Axle {
  std::string name;              ///< name of its obstacles
  engine::Vec3d point{0, 0, 0};  ///< on the axle [length]
  engine::Vec3d axis{0, 0, 1};   ///< its direction, of any length but zero
  double inertia = 0;            ///< moment of inertia about it [mass length^2], > 0
  double torque = 0;             ///< torque of a motor about the axis [force length]
  double brake = 0;              ///< torque / angular velocity, >= 0 [force length time]
  double angular_velocity = 0;   ///< at the start, about the axis [1 / time]
};

/// The axles of a scene.
struct Axles {
  std::vector<Axle> all;
};

const engine::ParamTable<Axle>& axle_table();

AxleFormula formula_of(const Axle& axle);

/// Names of obstacles, each once, in the order of the scene: those of the solids.
std::vector<std::string> solid_names(const std::vector<ObstacleDescription>& obstacles);

/// Solids are globals of a state.
inline GlobalInfo solids_globals(std::size_t solids) {
  static_assert(sizeof(SolidState) % sizeof(double) == 0);
  return {"Solids", static_cast<int>(solids * sizeof(SolidState) / sizeof(double))};
}

/// The solids of a state, in its memory; null if it has none.
template <class Space>
SolidState* solids_of(State<Space>& state) {
  return reinterpret_cast<SolidState*>(state.globals(solids_globals(0)));
}
template <class Space>
const SolidState* solids_of(const State<Space>& state) {
  return reinterpret_cast<const SolidState*>(state.globals(solids_globals(0)));
}

}  // namespace mote::sim
