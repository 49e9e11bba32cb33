#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/params.h"
#include "sim/contact/materials.h"

namespace mote::sim {

/// Grains of a scene: materials and sizes.
struct Grains : ContactParams {
  double radius = 1;                     ///< [length], default of bodies
  double spread = 0;                     ///< relative, of `radius`
  std::optional<double> density;         ///< [mass / length^3]; if set, masses follow from radii
  std::vector<SpeciesMaterial> species;  ///< materials by species number, from 1
  std::vector<ContactOverride> pairs;

  ContactMaterials materials() const { return {*this, species, pairs}; }
  /// That of a body of this species (0: none), if it is given.
  std::optional<double> density_of(int species_number) const;
};

/// Parameters besides those of contact_table().
const engine::ParamTable<Grains>& grains_table();

/// grains_table() and contact_table().
engine::ParamSheet grains_sheet();

/// The materials that species and pairs of species may have of their own, with the descriptions of
/// that sheet.
const engine::ParamTable<SpeciesMaterial>& species_material_table();
const engine::ParamTable<ContactOverride>& contact_override_table();

/// Radius of a body without its own: uniform within the spread, a function of seed and id.
double radius_of_grain(const Grains& grains, std::uint64_t seed, std::uint32_t id);

}  // namespace mote::sim
