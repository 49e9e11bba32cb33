#pragma once

#include <cstdint>
#include <string>

#include "engine/params.h"
#include "engine/types.h"
#include "sim/initial/bodies.h"
#include "sim/initial/relations.h"

namespace mote::sim {

/// A crystal about the origin: cubic unit cells of side `spacing`, `counts` of them along x, y and
/// z, with one body per cell (cubic), two (body-centred, bcc) or four (face-centred, fcc). x runs
/// fastest. Positions are not random: they do not depend on seed and stream.
struct Lattice {
  engine::Vec3d counts{10, 10, 10};  ///< whole numbers
  double mass = 1;                   ///< total mass
  double spacing = 1;                ///< side of the cells, length
  std::string structure = "cubic";   ///< cubic, bcc or fcc
  double dispersion = 0;             ///< velocity dispersion, see Stir
  double spin = 0;
};

const engine::ParamTable<Lattice>& lattice_table();
BrokenRelations broken_relations(const Lattice& lattice);

/// Number of bodies: cells times bodies per cell; 0 if it exceeds the limit of a scene.
engine::Index count_of(const Lattice& lattice);

Bodies make(const Lattice& lattice, const MakeContext& context);

}  // namespace mote::sim
