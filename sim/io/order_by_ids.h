#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/initial/bodies.h"

/// Private to sim/io.
namespace mote::sim {

/// Puts bodies, all of which have an id, in the order of their ids: in a scene, the ids of bodies
/// are their places in this order. If two have the same id, the bodies stay as they are; returns
/// the id.
std::optional<std::uint64_t> order_by_ids(Bodies& bodies, const std::vector<std::uint64_t>& ids);

}  // namespace mote::sim
