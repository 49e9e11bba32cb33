#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/math/vec.h"
#include "engine/memory/buffer.h"

namespace mote::sim {

/// Triangles, counter-clockwise as seen from outside.
struct TriangleMesh {
  std::vector<engine::Vec3d> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

/// Reads an OBJ, STL (text or binary) or PLY file in double precision, cutting faces of more
/// corners into triangles, without merging vertices and without following references to other
/// files. Throws InputError, at the line where there are lines, for files of other formats and
/// invalid ones, and for those without triangles.
TriangleMesh read_mesh(const std::filesystem::path& path);

/// The mesh as the closed surface of solids: merges vertices with equal coordinates, drops
/// triangles that degenerate, and turns each connected part outwards, or inwards if it bounds a
/// cavity: a part within another one that faces the other way in the file. Throws InputError at
/// `location` for a vertex index out of range, unless every edge belongs to two triangles of the
/// same orientation, and for a part within another one that faces the same way.
TriangleMesh closed_surface(const TriangleMesh& mesh, const std::string& location);

/// Signed distances to a closed surface at the nodes of a grid around it.
struct MeshDistance {
  engine::Vec3d low;  ///< [length]
  double spacing;     ///< [length]
  int count[3];
  engine::Buffer<float, engine::Host> distance;
};

/// Exact at the nodes up to rounding to float. The sign is that of the angle-weighted normal of the
/// closest face, edge or vertex (Baerentzen & Aanaes 2005, IEEE TVCG 11, 243). The grid extends by
/// `margin` and a few nodes beyond the mesh. `cells`: along the longest side of the mesh; fewer if
/// the grid would exceed 2^27 nodes.
MeshDistance distances_to(const TriangleMesh& surface, int cells, double margin, int threads);

}  // namespace mote::sim
