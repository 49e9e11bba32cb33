#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/math/vec.h"
#include "engine/params.h"
#include "sim/space/mesh.h"

namespace mote::sim {

/// Parameters of every obstacle: surface and motion (ObstacleMotion).
struct ObstacleCommon {
  std::string name;                             ///< its solid's name; "": forces on it are not kept
  std::optional<double> friction, restitution;  ///< default: those of the bodies
  engine::Vec3d velocity{0, 0, 0};
  engine::Vec3d amplitude{0, 0, 0};
  double frequency = 0, phase = 0;  ///< [1 / time], degrees
  engine::Vec3d angular_velocity{0, 0, 0};
  std::optional<engine::Vec3d> pivot;  ///< default: the centre
};

/// Obstacles as described by a scene.
struct PlaneObstacle : ObstacleCommon {
  engine::Vec3d point{0, 0, 0}, normal{0, 0, 1};
};
struct BoxObstacle : ObstacleCommon {
  engine::Vec3d center{0, 0, 0}, size{1, 1, 1};
  engine::Vec3d rotation{0, 0, 0};  ///< rotation vector [degrees]
  bool container = false;
};
struct SphereObstacle : ObstacleCommon {
  engine::Vec3d center{0, 0, 0};
  double radius = 1;
  bool container = false;
};
struct CylinderObstacle : ObstacleCommon {
  engine::Vec3d center{0, 0, 0}, axis{0, 0, 1};
  double radius = 1;
  std::optional<double> length;  ///< default: unbounded
  bool container = false;
};
struct CapsuleObstacle : ObstacleCommon {
  engine::Vec3d from{0, 0, 0}, to{0, 0, 1};
  double radius = 1;
};
struct MeshObstacle : ObstacleCommon {
  std::string file;
  std::shared_ptr<const TriangleMesh> surface;  ///< closed surface, instead of a file
  engine::Vec3d center{0, 0, 0};                ///< position of the file's origin
  engine::Vec3d rotation{0, 0, 0};              ///< rotation vector [degrees]
  double scale = 1;
  std::int64_t resolution = 96;  ///< cells of the distance grid along the longest side
  bool container = false;
};

using ObstacleDescription = std::variant<PlaneObstacle, BoxObstacle, SphereObstacle,
                                         CylinderObstacle, CapsuleObstacle, MeshObstacle>;

const engine::ParamTable<PlaneObstacle>& plane_obstacle_table();
const engine::ParamTable<BoxObstacle>& box_obstacle_table();
const engine::ParamTable<SphereObstacle>& sphere_obstacle_table();
const engine::ParamTable<CylinderObstacle>& cylinder_obstacle_table();
const engine::ParamTable<CapsuleObstacle>& capsule_obstacle_table();
const engine::ParamTable<MeshObstacle>& mesh_obstacle_table();

/// The parameters that all obstacles have.
const ObstacleCommon& common_of(const ObstacleDescription& obstacle);

/// True if the scene moves some of them; an axle does not, on which bodies turn them.
bool any_moves(const std::vector<ObstacleDescription>& obstacles);

/// Name in scenes: "plane", "mesh".
const char* name_of(const ObstacleDescription& obstacle);

/// Error beyond the ranges of single parameters, or "".
std::string obstacle_problem(const ObstacleDescription& obstacle);

}  // namespace mote::sim
