#include "sim/contact/grains.h"

#include "engine/math/random.h"

namespace mote::sim {
namespace {

/// Random stream of radii, above the streams of all generators.
constexpr std::uint32_t radius_stream = 0xfffffff0u;

}  // namespace

const engine::ParamTable<Grains>& grains_table() {
  using engine::param;
  static const engine::ParamTable<Grains> table{
      "grains",
      "Makes bodies spheres that touch each other and obstacles: springs and dashpots, friction, "
      "rolling resistance and adhesion. Without this table bodies are points.",
      {param(&Grains::radius, {.name = "radius",
                               .help = "radius of bodies without their own `radius`",
                               .unit = "length",
                               .minimum = 0,
                               .minimum_excluded = true,
                               .required = true}),
       param(&Grains::spread, {.name = "spread",
                               .help = "relative spread of that radius: uniform between radius (1 "
                                       "- spread) and radius (1 + spread)",
                               .minimum = 0,
                               .maximum = 0.9}),
       param(&Grains::density, {.name = "density",
                                .help = "density of grains: sets the masses of all bodies from "
                                        "their radii; without it each body needs a `mass`",
                                .unit = "density",
                                .minimum = 0,
                                .minimum_excluded = true})}};
  return table;
}

engine::ParamSheet grains_sheet() {
  engine::ParamSheet sheet = engine::sheet_of(grains_table());
  for (const engine::ParamSheet::Row& row : engine::sheet_of(contact_table()).rows)
    sheet.rows.push_back(row);
  return sheet;
}

std::optional<double> Grains::density_of(int species_number) const {
  if (species_number > 0 && !species.empty())
    if (const auto& own = species[static_cast<std::size_t>(species_number) - 1].density) return own;
  return density;
}

double radius_of_grain(const Grains& grains, std::uint64_t seed, std::uint32_t id) {
  engine::Random random(seed, radius_stream, id);
  return grains.radius * random.uniform(1 - grains.spread, 1 + grains.spread);
}

}  // namespace mote::sim
