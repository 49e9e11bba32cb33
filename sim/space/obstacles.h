#pragma once

#include <optional>
#include <vector>

#include "sim/space/mesh.h"
#include "sim/space/obstacle_formula.h"
#include "sim/space/obstacle_tables.h"
#include "sim/space/solids.h"

namespace mote::sim {

/// Default of surfaces.
struct SurfaceMaterial {
  double friction = 0, restitution = 1;
};

/// The properties of an obstacle that replace the defaults.
struct OwnSurface {
  std::optional<double> friction, restitution;
};

/// Most walls of one obstacle: a box as a container.
inline constexpr std::size_t most_walls = 6;

/// The obstacles of a simulation. A container is split into separate walls, so that a body in a
/// corner touches each of them: a box into six planes, a cylinder with ends into an unbounded
/// cylinder and two planes.
class Obstacles {
 public:
  Obstacles() = default;
  /// `margin`: distances are valid up to this far from meshes, at least the radius of the largest
  /// body. Throws InputError if a mesh cannot be read or is not closed.
  Obstacles(const std::vector<ObstacleDescription>& described, const std::vector<Axle>& axles,
            const SurfaceMaterial& standard, double margin, int threads);

  int count() const { return static_cast<int>(walls_.size()); }
  /// Index of the description that a wall belongs to.
  int described(int obstacle) const { return walls_[static_cast<std::size_t>(obstacle)].described; }
  const OwnSurface& own_surface(int obstacle) const {
    return walls_[static_cast<std::size_t>(obstacle)].own;
  }
  bool moves() const;
  /// Number of solids, in the order of solid_names.
  int solids() const { return solids_; }
  const ObstacleMotion& motion(int obstacle) const {
    return walls_[static_cast<std::size_t>(obstacle)].motion;
  }
  /// Distance grid of a mesh, null for other shapes.
  const MeshDistance* mesh(int obstacle) const {
    const int mesh = walls_[static_cast<std::size_t>(obstacle)].mesh;
    return mesh < 0 ? nullptr : &meshes_[static_cast<std::size_t>(mesh)];
  }
  /// Sets `all` to the walls at a time; meshes point into this object. `solids`: all of them, at
  /// this time; may be null without axles.
  template <class T>
  void at(double time, const SolidState* solids, std::vector<Obstacle<T>>& all) const;

 private:
  struct Wall {
    int described;
    Obstacle<double> shape;  ///< without its frame and grid
    ObstacleMotion motion;
    OwnSurface own;
    int mesh = -1;
  };
  struct Builder;

  std::vector<Wall> walls_;
  std::vector<MeshDistance> meshes_;
  int solids_ = 0;
};

/// Obstacles that bodies push, in an evaluation of forces.
struct PushedObstacles {
  const Obstacles& all;
  /// At the time of the evaluation: the forces on them are added. Null without solids.
  SolidState* solids = nullptr;
};

}  // namespace mote::sim
