#pragma once

#include <cstdint>

#include "engine/params.h"
#include "sim/initial/bodies.h"
#include "sim/initial/relations.h"

namespace mote::sim {

/// A flat ring of uniform surface density in the x-y plane. It may rotate on circular orbits about
/// a central mass, which is not among its bodies: v^2 = G M R^2 / (R^2 + eps^2)^(3/2) with the
/// scene's softening eps, counter-clockwise seen from +z. The ring's self-gravity is not taken into
/// account.
struct Ring {
  std::int64_t n = 1;       ///< bodies, of equal mass
  double mass = 1;          ///< total mass
  double radius = 1;        ///< length; of the middle of the ring
  double width = 0;         ///< length; at most twice the radius
  double central_mass = 0;  ///< at the centre
  double dispersion = 0;    ///< velocity dispersion, see Stir
  double spin = 0;
};

const engine::ParamTable<Ring>& ring_table();
BrokenRelations broken_relations(const Ring& ring);

Bodies make(const Ring& ring, const MakeContext& context);

}  // namespace mote::sim
