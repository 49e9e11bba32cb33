#include "sim/molecular/pairs.h"

#include <algorithm>
#include <cmath>

namespace mote::sim {

const engine::ParamTable<LennardJones>& lennard_jones_table() {
  static const engine::ParamTable<LennardJones> table{
      "lennard_jones",
      "Lennard-Jones forces between bodies, uniform or by species. Leave the table out for none.",
      {engine::param(
           &LennardJones::epsilon,
           {.name = "epsilon", .help = "depth of the well", .unit = "energy", .minimum = 0}),
       engine::param(&LennardJones::sigma, {.name = "sigma",
                                            .help = "distance at which the energy is zero",
                                            .unit = "length",
                                            .minimum = 0,
                                            .minimum_excluded = true}),
       engine::param(
           &LennardJones::cutoff,
           {.name = "cutoff",
            .help = "distance beyond which the force is zero; by default 2.5 times the largest "
                    "sigma",
            .unit = "length",
            .minimum = 0,
            .minimum_excluded = true}),
       engine::param(
           &LennardJones::truncation,
           {.name = "truncation",
            .help = "plain: cut off; shifted: energy shifted to zero there; switched: smoothly to "
                    "zero",
            .choices = {"plain", "shifted", "switched"}}),
       engine::param(&LennardJones::switch_from,
                     {.name = "switch_from",
                      .help = "distance at which switching begins; by default 0.9 of the cutoff",
                      .unit = "length",
                      .minimum = 0,
                      .minimum_excluded = true}),
       engine::param(
           &LennardJones::skin,
           {.name = "skin",
            .help = "margin of the neighbour lists beyond the cutoff; affects speed and round-off "
                    "only; 0 rebuilds them at every step; by default an eighth of the cutoff",
            .unit = "length",
            .minimum = 0})}};
  return table;
}

const engine::ParamTable<Coulomb>& coulomb_table() {
  static const engine::ParamTable<Coulomb> table{
      "coulomb",
      "Coulomb forces between charged species: cut off in a medium (reaction field), screened "
      "(Yukawa), or of all charges and their periodic images (solver = \"multipole\"). Needs "
      "lennard_jones.",
      {engine::param(
           &Coulomb::constant,
           {.name = "constant",
            .help = "energy of two unit charges at unit distance; by default that of the units",
            .minimum = 0}),
       engine::param(&Coulomb::cutoff, {.name = "cutoff",
                                        .help = "by default that of lennard_jones",
                                        .unit = "length",
                                        .minimum = 0,
                                        .minimum_excluded = true}),
       engine::param(
           &Coulomb::dielectric,
           {.name = "dielectric",
            .help = "relative permittivity of the medium beyond the cutoff; by default a conductor",
            .minimum = 1}),
       engine::param(&Coulomb::screening_length,
                     {.name = "screening_length",
                      .help = "of charges in an electrolyte or a plasma, whose potential falls as "
                              "exp(-r / screening_length) / r (Yukawa); by default none",
                      .unit = "length",
                      .minimum = 0,
                      .minimum_excluded = true}),
       engine::param(
           &Coulomb::solver,
           {.name = "solver",
            .help = "cutoff: pairs within it; multipole: all charges, by expansions, with "
                    "all periodic images in a domain that is periodic along all axes",
            .choices = {"cutoff", "multipole"}}),
       engine::param(
           &Coulomb::accuracy,
           {.name = "accuracy",
            .help = "of multipole: relative error of 99 % of the forces; by default 0.001",
            .minimum = 1e-7,
            .maximum = 0.1})}};
  return table;
}

const engine::ParamTable<PairOverride>& pair_table() {
  static const engine::ParamTable<PairOverride> table{
      "pair",
      "Lennard-Jones parameters of two species that override the mixing rules, in `pairs`.",
      {engine::param(
           &PairOverride::epsilon,
           {.name = "epsilon", .help = "depth of the well", .unit = "energy", .minimum = 0}),
       engine::param(&PairOverride::sigma, {.name = "sigma",
                                            .help = "distance at which the energy is zero",
                                            .unit = "length",
                                            .minimum = 0,
                                            .minimum_excluded = true}),
       engine::param(&PairOverride::cutoff, {.name = "cutoff",
                                             .help = "distance beyond which the force is zero",
                                             .unit = "length",
                                             .minimum = 0,
                                             .minimum_excluded = true})}};
  return table;
}

namespace {

struct MixedPair {
  double epsilon, sigma, charges;
  std::optional<double> cutoff;
};

MixedPair mix(const PairForces& forces, int a, int b) {
  const LennardJones& standard = forces.lennard_jones;
  const auto kind = [&](int k) {
    return k == 0 ? SpeciesForce{} : forces.species[static_cast<std::size_t>(k - 1)];
  };
  const SpeciesForce one = kind(a), other = kind(b);
  MixedPair mixed{
      std::sqrt(one.epsilon.value_or(standard.epsilon) * other.epsilon.value_or(standard.epsilon)),
      0.5 * (one.sigma.value_or(standard.sigma) + other.sigma.value_or(standard.sigma)),
      one.charge * other.charge, standard.cutoff};
  for (const PairOverride& o : forces.pairs) {
    if (!((o.a == a && o.b == b) || (o.a == b && o.b == a))) continue;
    mixed.epsilon = o.epsilon.value_or(mixed.epsilon);
    mixed.sigma = o.sigma.value_or(mixed.sigma);
    if (o.cutoff) mixed.cutoff = o.cutoff;
  }
  return mixed;
}

PairCoefficients<double> coefficients_of(const PairForces& forces, const MixedPair& m,
                                         double cutoff, double constant) {
  const LennardJones& standard = forces.lennard_jones;
  const double s3 = m.sigma * m.sigma * m.sigma, s6 = s3 * s3;
  PairCoefficients<double> c{};
  c.repulsion = 4 * m.epsilon * s6 * s6;
  c.attraction = 4 * m.epsilon * s6;
  c.squared_cutoff = cutoff * cutoff;
  const double from = standard.switch_from.value_or(0.9 * cutoff);
  c.switch_from = std::min(from * from, c.squared_cutoff);
  const double width = c.squared_cutoff - c.switch_from;
  c.switch_scale = width > 0 ? 1 / (width * width * width) : 0;
  if (standard.truncation == "shifted") {
    const double u3 = 1 / (c.squared_cutoff * c.squared_cutoff * c.squared_cutoff);
    c.shift = (c.repulsion * u3 - c.attraction) * u3;
  }
  if (!forces.coulomb || forces.coulomb->expands()) return c;
  const double range = forces.coulomb->cutoff.value_or(cutoff), cube = range * range * range;
  c.charges = forces.coulomb->constant.value_or(constant) * m.charges;
  c.squared_electric = m.charges == 0 ? 0 : range * range;
  if (const auto& length = forces.coulomb->screening_length) {
    c.screening = 1 / *length;
    c.electric_shift = std::exp(-range * c.screening) / range;
    return c;
  }
  const double permittivity = forces.coulomb->dielectric.value_or(0);
  c.field = (permittivity == 0 ? 0.5 : (permittivity - 1) / (2 * permittivity + 1)) / cube;
  c.electric_shift = 1 / range + c.field * range * range;
  return c;
}

}  // namespace

PairTable table_of(const PairForces& forces, double constant) {
  PairTable table;
  table.kinds = static_cast<int>(forces.species.size()) + 1;
  table.terms = {forces.lennard_jones.truncation == "switched",
                 !forces.coulomb || forces.coulomb->expands() ? Electric::none
                 : forces.coulomb->screening_length           ? Electric::yukawa
                                                              : Electric::reaction_field};
  double largest = 0;
  for (int a = 0; a < table.kinds; ++a)
    for (int b = 0; b < table.kinds; ++b)
      if (forces.acts_on_kind(a) && forces.acts_on_kind(b))
        largest = std::max(largest, mix(forces, a, b).sigma);
  for (int a = 0; a < table.kinds; ++a)
    for (int b = 0; b < table.kinds; ++b) {
      if (!forces.acts_on_kind(a) || !forces.acts_on_kind(b)) {
        table.all.emplace_back();
        continue;
      }
      const MixedPair m = mix(forces, a, b);
      const PairCoefficients<double> c =
          coefficients_of(forces, m, m.cutoff.value_or(2.5 * largest), constant);
      table.cutoff =
          std::max({table.cutoff, std::sqrt(c.squared_cutoff), std::sqrt(c.squared_electric)});
      table.all.push_back(c);
    }
  table.skin = forces.lennard_jones.skin.value_or(0.125 * table.cutoff);
  return table;
}

}  // namespace mote::sim
