#pragma once

#include <cstdint>
#include <optional>

#include "engine/params.h"
#include "sim/contact/contact_params.h"

namespace mote::sim {

/// Grains of a scene: material and sizes.
struct Grains : ContactParams {
  double radius = 1;              ///< [length], default of bodies
  double spread = 0;              ///< relative, of `radius`
  std::optional<double> density;  ///< [mass / length^3]; if set, masses follow from radii
};

/// Parameters besides those of contact_table().
const engine::ParamTable<Grains>& grains_table();

/// grains_table() and contact_table().
engine::ParamSheet grains_sheet();

/// Radius of a body without its own: uniform within the spread, a function of seed and id.
double radius_of_grain(const Grains& grains, std::uint64_t seed, std::uint32_t id);

}  // namespace mote::sim
