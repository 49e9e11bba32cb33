#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/params.h"
#include "sim/molecular/pair_formula.h"

namespace mote::sim {

/// Lennard-Jones between all bodies, as a scene describes it.
struct LennardJones {
  double epsilon = 1;                      ///< [energy] >= 0, depth of the well
  double sigma = 1;                        ///< [length] > 0, where the energy is zero
  std::optional<double> cutoff = {};       ///< [length] > 0; by default 2.5 times the largest sigma
  std::string truncation = "shifted";      ///< plain, shifted, switched
  std::optional<double> switch_from = {};  ///< [length]; by default nine tenths of the cutoff
  std::optional<double> skin = {};  ///< [length] >= 0; by default an eighth of the longest cutoff
};

/// Coulomb between charged bodies, as a scene describes it.
struct Coulomb {
  std::optional<double> constant = {};    ///< [energy length / charge^2]; by default that of the
                                          ///< units
  std::optional<double> cutoff = {};      ///< [length] > 0; by default that of Lennard-Jones
  std::optional<double> dielectric = {};  ///< constant of the medium beyond, >= 1; by default a
                                          ///< conductor
};

/// What a species is to these forces; what is not given is as LennardJones has it.
struct SpeciesForce {
  std::optional<double> epsilon = {}, sigma = {};
  double charge = 0;
  /// Whether it says anything of them.
  bool speaks() const { return epsilon || sigma || charge != 0; }
};

/// A pair of species (0: bodies of none) whose numbers are not those of the mixing rules.
struct PairOverride {
  int a = 0, b = 0;
  std::optional<double> epsilon = {}, sigma = {}, cutoff = {};
};

/// All of it.
struct PairForces {
  LennardJones lennard_jones;
  std::optional<Coulomb> coulomb;
  std::vector<SpeciesForce> species;  ///< by number of the species, from 1
  std::vector<PairOverride> pairs;
  std::vector<bool> acts_on;  ///< by kind (PairTable); empty: on all of them
  bool knows(int kind) const { return acts_on.empty() || acts_on[static_cast<std::size_t>(kind)]; }
};

const engine::ParamTable<LennardJones>& lennard_jones_table();
const engine::ParamTable<Coulomb>& coulomb_table();
const engine::ParamTable<PairOverride>& pair_table();

/// Coefficients of every pair of kinds, zeros of those that the forces do not act on; kind 0 are
/// bodies without species. Unlike kinds mix by Lorentz and Berthelot (Allen & Tildesley 2017,
/// eq. 1.35): mean sigma, root of the product of epsilons.
struct PairTable {
  int kinds = 1;
  std::vector<PairCoefficients<double>> all;  ///< kinds x kinds, symmetric
  PairTerms terms;
  double reach = 0;  ///< [length], the longest cutoff
  double skin = 0;   ///< [length]
};

/// Coefficients in another number type.
template <class T>
PairCoefficients<T> rounded(const PairCoefficients<double>& c) {
  const auto t = [](double value) { return static_cast<T>(value); };
  return {t(c.repulsion),   t(c.attraction),    t(c.squared_cutoff), t(c.shift),
          t(c.switch_from), t(c.switch_scale),  t(c.charges),        t(c.squared_electric),
          t(c.field),       t(c.electric_shift)};
}

/// `constant`: Coulomb's, of the units.
PairTable table_of(const PairForces& forces, double constant);

}  // namespace mote::sim
