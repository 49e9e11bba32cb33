#include "sim/molecular/bonds.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace mote::sim {

using engine::Index;

const engine::ParamTable<BondKind>& bond_kind_table() {
  static const engine::ParamTable<BondKind> table{
      "bond_kind",
      "A kind of bond, in `bond_kinds = { name = { ... } }`: a spring, with or without a dashpot, "
      "a FENE bond, as in polymers, or a rod.",
      {engine::param(&BondKind::form, {.name = "form",
                                       .help = "harmonic: a spring, k/2 (r - length)^2; fene: "
                                               "finitely extensible, -k/2 R^2 ln(1 - "
                                               "(r/R)^2) with R the extension; rigid: a rod of "
                                               "fixed length, with the leapfrog integrator",
                                       .choices = {"harmonic", "fene", "rigid"}}),
       engine::param(&BondKind::stiffness, {.name = "stiffness",
                                            .help = "k: energy over length squared; required by "
                                                    "harmonic and fene",
                                            .unit = "stiffness",
                                            .minimum = 0,
                                            .minimum_excluded = true}),
       engine::param(&BondKind::length,
                     {.name = "length",
                      .help = "rest length, or that of a rod; required by harmonic and rigid",
                      .unit = "length",
                      .minimum = 0}),
       engine::param(&BondKind::extension, {.name = "extension",
                                            .help = "maximum length; required by fene",
                                            .unit = "length",
                                            .minimum = 0,
                                            .minimum_excluded = true}),
       engine::param(&BondKind::damping, {.name = "damping",
                                          .help = "of a dashpot along the bond: force per relative "
                                                  "velocity of its ends",
                                          .unit = "damping",
                                          .minimum = 0})}};
  return table;
}

const engine::ParamTable<AngleKind>& angle_kind_table() {
  static const engine::ParamTable<AngleKind> table{
      "angle_kind",
      "A kind of angle between two bonds, in `angle_kinds = { name = { ... } }`.",
      {engine::param(&AngleKind::form,
                     {.name = "form",
                      .help = "harmonic: k/2 (theta - angle)^2; cosine: k (1 - cos(theta - angle))",
                      .choices = {"harmonic", "cosine"}}),
       engine::param(&AngleKind::stiffness, {.name = "stiffness",
                                             .help = "k, for angles in radians",
                                             .unit = "energy",
                                             .minimum = 0,
                                             .minimum_excluded = true,
                                             .required = true}),
       engine::param(&AngleKind::angle, {.name = "angle",
                                         .help = "rest angle",
                                         .unit = "angle",
                                         .minimum = 0,
                                         .maximum = 180})}};
  return table;
}

bool BondForces::damped() const {
  return std::any_of(bonds.begin(), bonds.end(),
                     [&](const Bond& b) { return bond_kinds[b.kind].damping > 0; });
}

bool BondForces::any_rigid() const {
  return std::any_of(bonds.begin(), bonds.end(),
                     [&](const Bond& b) { return is_rigid(bond_kinds[b.kind]); });
}

BondForces BondForces::flexible() const {
  BondForces some = *this;
  std::erase_if(some.bonds, [&](const Bond& b) { return is_rigid(bond_kinds[b.kind]); });
  return some;
}

BondCoefficients<double> coefficients_of(const BondKind& kind) {
  const double extension = kind.form == "fene" ? kind.extension.value_or(0) : 0;
  return {kind.stiffness.value_or(0), kind.length.value_or(0), extension * extension, kind.damping};
}

AngleCoefficients<double> coefficients_of(const AngleKind& kind) {
  const bool straight = kind.angle == 180, folded = kind.angle == 0;
  const double rest = kind.angle * (std::numbers::pi / 180);
  return {kind.stiffness,
          rest,
          straight ? -1 : std::cos(rest),
          straight || folded ? 0 : std::sin(rest),
          straight,
          kind.form == "harmonic"};
}

BondLists make_bond_lists(const BondForces& forces, const std::uint32_t* ids, Index count) {
  const auto index_of_id = [&](std::uint32_t id) {
    const std::uint32_t* const found = std::lower_bound(ids, ids + count, id);
    return found != ids + count && *found == id ? static_cast<std::int32_t>(found - ids) : -1;
  };
  const auto bodies = static_cast<std::size_t>(count);
  BondLists lists;
  // Count and then fill by body; bodies without entries are skipped.
  std::vector<std::int32_t> bonds(bodies + 1), angles(bodies + 1);
  std::vector<Bond> present;
  std::vector<AngleEntry> present_angles;
  for (const Bond& bond : forces.bonds) {
    const std::int32_t a = index_of_id(bond.a), b = index_of_id(bond.b);
    if (a < 0 || b < 0) continue;
    present.push_back({static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b), bond.kind});
    ++bonds[static_cast<std::size_t>(a)], ++bonds[static_cast<std::size_t>(b)];
  }
  for (const Angle& angle : forces.angles) {
    const AngleEntry entry{index_of_id(angle.first), index_of_id(angle.vertex),
                           index_of_id(angle.last), static_cast<std::int32_t>(angle.kind)};
    if (entry.first < 0 || entry.vertex < 0 || entry.last < 0) continue;
    present_angles.push_back(entry);
    for (const std::int32_t i : {entry.first, entry.vertex, entry.last})
      ++angles[static_cast<std::size_t>(i)];
  }
  std::int32_t next_bond = 0, next_angle = 0;
  for (std::size_t i = 0; i < bodies; ++i) {
    const std::int32_t own_bonds = bonds[i], own_angles = angles[i];
    bonds[i] = next_bond, angles[i] = next_angle;
    if (own_bonds + own_angles == 0) continue;
    lists.body.push_back(static_cast<std::int32_t>(i));
    lists.bond_begin.push_back(next_bond), lists.angle_begin.push_back(next_angle);
    next_bond += own_bonds, next_angle += own_angles;
  }
  lists.bond_begin.push_back(next_bond), lists.angle_begin.push_back(next_angle);
  lists.bond.resize(static_cast<std::size_t>(next_bond));
  lists.angle.resize(static_cast<std::size_t>(next_angle));
  const auto add_bond = [&](std::uint32_t own, std::uint32_t other, std::uint32_t kind) {
    lists.bond[static_cast<std::size_t>(bonds[own]++)] = {static_cast<std::int32_t>(other),
                                                          static_cast<std::int32_t>(kind)};
  };
  for (const Bond& b : present) add_bond(b.a, b.b, b.kind), add_bond(b.b, b.a, b.kind);
  for (const AngleEntry& entry : present_angles)
    for (const std::int32_t i : {entry.first, entry.vertex, entry.last})
      lists.angle[static_cast<std::size_t>(angles[static_cast<std::size_t>(i)]++)] = entry;
  return lists;
}

}  // namespace mote::sim
