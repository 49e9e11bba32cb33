#pragma once

#include <vector>

#include "sim/space/mesh.h"
#include "sim/space/obstacle_outline.h"

namespace mote::sim {

/// Lines by which a closed surface can be seen: the edges at which its triangles meet at more than
/// 30 degrees; of one that is smooth, its sections with planes across its longest side, and with
/// two along it.
std::vector<Outline> lines_of(const TriangleMesh& surface);

}  // namespace mote::sim
