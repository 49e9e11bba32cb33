#pragma once

#include <cstdint>
#include <optional>

#include "engine/params.h"
#include "sim/contact/contact_params.h"

namespace mote::sim {

/// The grains of a scene: what they are made of, and how large.
struct Grains : ContactParams {
  double radius = 1;              ///< [length], of bodies that do not say
  double spread = 0;              ///< of that radius, relative
  std::optional<double> density;  ///< [mass / length^3]; masses of all bodies then follow from
                                  ///< their radii
};

/// What is not of contacts alone; contact_table() has the rest.
const engine::ParamTable<Grains>& grains_table();

/// Both together.
engine::ParamSheet grains_sheet();

/// The radius of a body that does not say: uniform within the spread, by seed and id alone.
double radius_of_grain(const Grains& grains, std::uint64_t seed, std::uint32_t id);

}  // namespace mote::sim
