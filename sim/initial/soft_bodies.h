#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/params.h"
#include "sim/initial/bodies.h"
#include "sim/initial/relations.h"

namespace mote::sim {

/// Bodies held together by constraints (SoftMesh), about the origin and at rest. `mass` is
/// distributed by the volume of the cells (area, length) of which a body is a corner.

/// A chain along the x axis, straight, or an arc below the axis if `span` is less than `length`.
struct Rope {
  std::int64_t n = 20;
  double mass = 1, length = 1;
  std::optional<double> span;         ///< distance between the ends
  double compliance = 0;              ///< each link's [length / force]
  std::vector<std::string> pinned{};  ///< start (at -x), end
};

/// A sheet in the x-y plane, x running fastest: links along rows, columns and both diagonals of
/// each cell, bends about the edges of its triangles.
struct Cloth {
  std::vector<std::int64_t> counts{20, 20};
  std::vector<double> size{1, 1};
  double mass = 1;
  double stretch_compliance = 0;  ///< each link's [length / force]
  double bend_compliance = 0;     ///< each edge's [1 / energy]; 0: no bending resistance
  std::vector<std::string> pinned{};
};

/// A block of tetrahedra, five to each cell of a grid, with links along their edges.
struct SoftBox {
  engine::Vec3d counts{6, 6, 6}, size{1, 1, 1};
  double mass = 1;
  double compliance = 0;       ///< each link's [length / force]
  double compressibility = 0;  ///< [1 / pressure]
};

/// A cube of tetrahedra mapped onto a ball.
struct SoftBall {
  std::int64_t across = 7;  ///< bodies along a diameter
  double radius = 1;
  double mass = 1;
  double compliance = 0, compressibility = 0;
};

const engine::ParamTable<Rope>& rope_table();
const engine::ParamTable<Cloth>& cloth_table();
const engine::ParamTable<SoftBox>& soft_box_table();
const engine::ParamTable<SoftBall>& soft_ball_table();

BrokenRelations broken_relations(const Rope& rope);
BrokenRelations broken_relations(const Cloth& cloth);
BrokenRelations broken_relations(const SoftBox& box);
BrokenRelations broken_relations(const SoftBall& ball);

/// Number of bodies; 0 if it exceeds the limit of a scene or the parameters are invalid.
engine::Index count_of(const Rope& rope);
engine::Index count_of(const Cloth& cloth);
engine::Index count_of(const SoftBox& box);
engine::Index count_of(const SoftBall& ball);

Bodies make(const Rope& rope, const MakeContext& context);
Bodies make(const Cloth& cloth, const MakeContext& context);
Bodies make(const SoftBox& box, const MakeContext& context);
Bodies make(const SoftBall& ball, const MakeContext& context);

}  // namespace mote::sim
