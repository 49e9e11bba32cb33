#pragma once

#include <cstdint>

#include "engine/params.h"
#include "sim/initial/bodies.h"
#include "sim/initial/galaxy_gravity.h"
#include "sim/initial/relations.h"

namespace mote::sim {

const engine::ParamTable<Galaxy>& galaxy_table();
BrokenRelations broken_relations(const Galaxy& galaxy);

Bodies make(const Galaxy& galaxy, const MakeContext& context);

/// Number of bodies of each part.
struct GalaxyCounts {
  std::int64_t disk, bulge, halo;
};
GalaxyCounts counts_of(const Galaxy& galaxy);

}  // namespace mote::sim
