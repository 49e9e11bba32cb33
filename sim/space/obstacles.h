#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/params.h"
#include "sim/space/mesh.h"
#include "sim/space/obstacle_formula.h"

namespace mote::sim {

/// What every obstacle has: how its surface is, where it is turned to, and how it moves
/// (ObstacleMotion).
struct ObstacleCommon {
  std::optional<double> friction, restitution;  ///< where not given, those of the bodies
  engine::Vec3d velocity{0, 0, 0};
  engine::Vec3d amplitude{0, 0, 0};
  double frequency = 0, phase = 0;  ///< [1 / time], degrees
  engine::Vec3d angular_velocity{0, 0, 0};
  std::optional<engine::Vec3d> pivot;  ///< where not given, the centre
};

/// Obstacles of a scene, as it writes them.
struct PlaneObstacle : ObstacleCommon {
  engine::Vec3d point{0, 0, 0}, normal{0, 0, 1};
};
struct BoxObstacle : ObstacleCommon {
  engine::Vec3d center{0, 0, 0}, size{1, 1, 1};
  engine::Vec3d rotation{0, 0, 0};  ///< degrees about its direction
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
  std::optional<double> length;  ///< where not given, without end
  bool container = false;
};
struct CapsuleObstacle : ObstacleCommon {
  engine::Vec3d from{0, 0, 0}, to{0, 0, 1};
  double radius = 1;
};
struct MeshObstacle : ObstacleCommon {
  std::string file;
  std::shared_ptr<const TriangleMesh> surface;  ///< closed, instead of a file
  engine::Vec3d center{0, 0, 0};                ///< where the origin of the file comes to be
  engine::Vec3d rotation{0, 0, 0};              ///< degrees about its direction
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

/// What a scene calls it: "plane", "mesh".
const char* name_of(const ObstacleDescription& obstacle);

/// What is wrong with one beyond the ranges of its parameters, or "".
std::string obstacle_problem(const ObstacleDescription& obstacle);

/// Of a surface whose obstacle does not say.
struct SurfaceMaterial {
  double friction = 0, restitution = 1;
};

/// Walls of one obstacle, at most: those of a box that is a container.
inline constexpr std::size_t most_walls = 6;

/// The obstacles of a simulation. A container is made of its walls, each an obstacle of its own:
/// what lies in a corner touches all walls of it. Six planes are a box; a cylinder without end and
/// two planes one that has ends.
class Obstacles {
 public:
  Obstacles() = default;
  /// `margin`: how far from meshes their distances must be right, at least the radius of the
  /// largest body. Throws InputError when a mesh cannot be read or is not closed.
  Obstacles(const std::vector<ObstacleDescription>& described, const SurfaceMaterial& standard,
            double margin, int threads);

  int count() const { return static_cast<int>(walls_.size()); }
  /// Which of the described ones an obstacle belongs to.
  int described(int obstacle) const { return walls_[static_cast<std::size_t>(obstacle)].described; }
  bool moves() const;
  const ObstacleMotion& motion(int obstacle) const {
    return walls_[static_cast<std::size_t>(obstacle)].motion;
  }
  /// Distances of one that is a mesh, otherwise null.
  const MeshDistance* mesh(int obstacle) const {
    const int mesh = walls_[static_cast<std::size_t>(obstacle)].mesh;
    return mesh < 0 ? nullptr : &meshes_[static_cast<std::size_t>(mesh)];
  }
  /// All of them, at a time. They point into this object. `at` replaces what was in `all`.
  template <class T>
  void at(double time, std::vector<Obstacle<T>>& all) const;

 private:
  struct Wall {
    int described;
    Obstacle<double> shape;  ///< without its frame and grid
    ObstacleMotion motion;
    int mesh = -1;
  };
  struct Builder;

  std::vector<Wall> walls_;
  std::vector<MeshDistance> meshes_;
};

}  // namespace mote::sim
