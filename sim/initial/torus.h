#pragma once

#include <cstdint>

#include "engine/params.h"
#include "sim/initial/bodies.h"
#include "sim/initial/relations.h"

namespace mote::sim {

/// A solid torus of uniform density about the z axis. Not in equilibrium.
struct Torus {
  std::int64_t n = 1;         ///< bodies, of equal mass
  double mass = 1;            ///< total mass
  double radius = 1;          ///< from the axis to the middle of the tube, length
  double tube_radius = 0.25;  ///< length; at most `radius`
  double dispersion = 0;      ///< velocity dispersion, see Stir
  double spin = 0;
};

const engine::ParamTable<Torus>& torus_table();
BrokenRelations broken_relations(const Torus& torus);

Bodies make(const Torus& torus, const MakeContext& context);

}  // namespace mote::sim
