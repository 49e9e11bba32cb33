#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/math/vec.h"
#include "engine/memory/buffer.h"

namespace mote::sim {

/// Triangles that turn counter-clockwise as seen from outside.
struct TriangleMesh {
  std::vector<engine::Vec3d> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

/// What a file holds (OBJ, STL or PLY), each vertex as often as it is written there. Other files
/// that it names are not read. Throws InputError for what is not one of these or holds no
/// triangles, and for what mote-read does not survive.
TriangleMesh read_mesh(const std::filesystem::path& path);

/// The same mesh as the closed surface of a solid: vertices at exactly one place become one,
/// triangles that thereby lose a side are dropped, and a surface turned inside out as a whole is
/// turned. Throws InputError at `place` when a triangle has a vertex that there is not, or an edge
/// does not belong to two triangles that turn the same way.
TriangleMesh closed_surface(const TriangleMesh& mesh, const std::string& place);

/// Signed distances to a closed surface at the nodes of a grid around it.
struct MeshDistance {
  engine::Vec3d low;  ///< [length]
  double spacing;     ///< [length]
  int count[3];
  engine::Buffer<float, engine::Host> distance;
};

/// Exact at the nodes but for rounding to float; the sign is that of the angle-weighted normal of
/// the face, edge or vertex that is closest (Baerentzen & Aanaes 2005, IEEE TVCG 11, 243). The grid
/// ends so far beyond the mesh, and a few nodes more. `cells`: along the longest side of the mesh;
/// fewer where the margin would make it a grid of more than 2^27 nodes.
MeshDistance distances_to(const TriangleMesh& surface, int cells, double margin, int threads);

}  // namespace mote::sim
