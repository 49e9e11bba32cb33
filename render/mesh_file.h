#pragma once

#include <filesystem>
#include <vector>

#include "render/indexed_mesh.h"

namespace mote::render {

/// Writes surfaces as Wavefront OBJ: an object of its name for each, with normals. Throws
/// engine::SystemError; the file appears under its name only when complete.
void write_obj(const std::filesystem::path& path, const std::vector<IndexedMesh>& surfaces);

/// Writes surfaces as one PLY file, binary and little-endian: vertices x, y, z, nx, ny, nz as
/// floats; faces as lists of `vertex_indices`, with the number of their surface as `part`, from 0.
/// Comments in the head name the parts. Throws engine::SystemError, and InputError for more than
/// 2^31 vertices.
void write_ply(const std::filesystem::path& path, const std::vector<IndexedMesh>& surfaces);

}  // namespace mote::render
