#pragma once

#include <vector>

#include "sim/space/mesh.h"
#include "sim/space/outline.h"

namespace mote::sim {

/// Outlines of a closed surface: edges at which triangles meet at more than 30 degrees; for a
/// smooth surface, sections by planes across its longest side and by two planes along it.
std::vector<Outline> lines_of(const TriangleMesh& surface);

}  // namespace mote::sim
