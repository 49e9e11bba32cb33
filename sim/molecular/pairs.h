#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/params.h"
#include "sim/molecular/pair_formula.h"

namespace mote::sim {

/// Scene parameters of Lennard-Jones forces.
struct LennardJones {
  double epsilon = 1;                      ///< [energy] >= 0, well depth
  double sigma = 1;                        ///< [length] > 0, distance of zero energy
  std::optional<double> cutoff = {};       ///< [length] > 0; default: 2.5 times the largest sigma
  std::string truncation = "shifted";      ///< plain, shifted, switched
  std::optional<double> switch_from = {};  ///< [length]; default: 0.9 of the cutoff
  std::optional<double> skin = {};         ///< [length] >= 0; default: 1/8 of the largest cutoff
};

/// Scene parameters of Coulomb forces.
struct Coulomb {
  std::optional<double> constant = {};    ///< [energy length / charge^2]; default: from the units
  std::optional<double> cutoff = {};      ///< [length] > 0; default: that of Lennard-Jones
  std::optional<double> dielectric = {};  ///< permittivity beyond it, >= 1; default: a conductor
  std::optional<double> screening_length = {};  ///< [length] > 0, of a Yukawa potential
  std::string solver = "cutoff";                ///< "cutoff", "multipole"
  std::optional<double> accuracy = {};          ///< multipole: relative error of 99 % of forces

  /// All charges act on each other, by expansions, and not in pairs within a cutoff.
  bool expands() const { return solver == "multipole"; }
};

/// Parameters of a species; unset ones are those of LennardJones.
struct SpeciesForce {
  std::optional<double> epsilon = {}, sigma = {};
  double charge = 0;
  /// True if any is set.
  bool overrides_pair_force() const { return epsilon || sigma || charge != 0; }
};

/// A pair of species (0: bodies without species) that overrides the mixing rules.
struct PairOverride {
  int a = 0, b = 0;
  std::optional<double> epsilon = {}, sigma = {}, cutoff = {};
};

/// All scene parameters of pair forces.
struct PairForces {
  LennardJones lennard_jones;
  std::optional<Coulomb> coulomb;
  std::vector<SpeciesForce> species;  ///< forces by species number, from 1
  std::vector<PairOverride> pairs;
  std::vector<bool> acts_on;  ///< flags by kind (PairTable); empty: on all
  bool acts_on_kind(int kind) const {
    return acts_on.empty() || acts_on[static_cast<std::size_t>(kind)];
  }
};

const engine::ParamTable<LennardJones>& lennard_jones_table();
const engine::ParamTable<Coulomb>& coulomb_table();
const engine::ParamTable<PairOverride>& pair_table();

/// Coefficients of every pair of kinds, zero if the forces do not act on one of them; kind 0 is
/// bodies without species. Unlike kinds follow the Lorentz-Berthelot rules (Allen & Tildesley 2017,
/// eq. 1.35): mean sigma, geometric mean of the epsilons.
struct PairTable {
  int kinds = 1;
  std::vector<PairCoefficients<double>> all;  ///< kinds x kinds, symmetric
  PairTerms terms;
  double cutoff = 0;  ///< [length], the largest of all pairs
  double skin = 0;    ///< [length]
};

/// Coefficients in another number type.
template <class T>
PairCoefficients<T> rounded(const PairCoefficients<double>& c) {
  return converted<T>(c, [](double value) { return static_cast<T>(value); });
}

/// `constant`: Coulomb constant of the scene's units.
PairTable table_of(const PairForces& forces, double constant);

}  // namespace mote::sim
