#pragma once

#include <cstdint>
#include <optional>

#include "engine/params.h"
#include "sim/initial/bodies.h"
#include "sim/initial/relations.h"

namespace mote::sim {

/// A spherical shell: thin with uniform surface density, or of uniform density between two radii.
/// Not in equilibrium.
struct Shell {
  std::int64_t n = 1;                       ///< bodies, of equal mass
  double mass = 1;                          ///< total mass
  double radius = 1;                        ///< outer, length
  std::optional<double> inner_radius = {};  ///< length; none: thin shell
  double dispersion = 0;                    ///< velocity dispersion, see Stir
  double spin = 0;
};

const engine::ParamTable<Shell>& shell_table();
BrokenRelations broken_relations(const Shell& shell);

Bodies make(const Shell& shell, const MakeContext& context);

}  // namespace mote::sim
