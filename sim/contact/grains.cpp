#include "sim/contact/grains.h"

#include <algorithm>
#include <string>
#include <utility>

#include "engine/math/random.h"

namespace mote::sim {
namespace {

using engine::param;

/// Random stream of radii, above the streams of all generators.
constexpr std::uint32_t radius_stream = 0xfffffff0u;

/// The description of a parameter of `grains`, for a table in which it may be missing.
engine::ParamInfo described(const std::string& name, const std::string& addition) {
  const std::vector<engine::ParamSheet::Row> rows = grains_sheet().rows;
  engine::ParamInfo info = std::find_if(rows.begin(), rows.end(), [&](const auto& r) {
                             return r.info.name == name;
                           })->info;
  info.help += addition;
  return info;
}

template <class Owner>
engine::ParamTable<Owner> surface_table(const std::string& name, const std::string& help,
                                        const std::string& addition) {
  const auto row = [&](std::optional<double> Owner::*member, const char* of) {
    return param(member, described(of, addition));
  };
  return {name,
          help,
          {row(&Owner::restitution, "restitution"), row(&Owner::friction, "friction"),
           row(&Owner::rolling_friction, "rolling_friction"),
           row(&Owner::rolling_damping, "rolling_damping"), row(&Owner::cohesion, "cohesion")}};
}

}  // namespace

const engine::ParamTable<Grains>& grains_table() {
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

const engine::ParamTable<SpeciesMaterial>& species_material_table() {
  static const engine::ParamTable<SpeciesMaterial> table = [] {
    const std::string addition = "; of this species, instead of that of grains";
    auto all = surface_table<SpeciesMaterial>("grains", "", addition);
    const std::pair<std::optional<double> SpeciesMaterial::*, const char*> more[] = {
        {&SpeciesMaterial::density, "density"},
        {&SpeciesMaterial::young_modulus, "young_modulus"},
        {&SpeciesMaterial::poisson, "poisson"},
        {&SpeciesMaterial::stiffness, "stiffness"},
        {&SpeciesMaterial::stiffness_ratio, "stiffness_ratio"}};
    for (const auto& [member, name] : more)
      all.params.push_back(param(member, described(name, addition)));
    return all;
  }();
  return table;
}

const engine::ParamTable<ContactOverride>& contact_override_table() {
  static const auto table = surface_table<ContactOverride>(
      "grain_pair",
      "Contacts of grains of two species that override the rules of mixing, in `grain_pairs`.",
      "; between these species");
  return table;
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
