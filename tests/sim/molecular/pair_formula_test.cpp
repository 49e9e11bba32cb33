// Pair terms: values, derivatives and cutoffs.
#include "sim/molecular/pair_formula.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/molecular/pairs.h"
#include "sim/space/image_formula.h"

namespace mote::test {
namespace {

using sim::Electric;
using sim::PairCoefficients;
using sim::PairTerm;
using sim::PairTerms;

PairCoefficients<double> coefficients(const std::string& truncation,
                                      Electric electric = Electric::none) {
  sim::PairForces forces;
  forces.lennard_jones = {
      .epsilon = 1.3, .sigma = 0.9, .cutoff = 2.2, .truncation = truncation, .switch_from = 1.7};
  if (truncation != "switched") forces.lennard_jones.switch_from.reset();
  forces.species = {{}, {}};
  if (electric != Electric::none) {
    forces.coulomb = sim::Coulomb{.constant = 0.7, .cutoff = 2.0, .dielectric = 30};
    if (electric == Electric::yukawa) forces.coulomb->screening_length = 0.5;
    forces.species[0].charge = 1, forces.species[1].charge = -2;
  }
  return sim::table_of(forces, 1).all[1 * 3 + 2];
}

TEST(LennardJones, HasItsWellOfMinusEpsilonAtTheSixthRootOfTwo) {
  const PairCoefficients<double> c = coefficients("plain");
  const double q = std::cbrt(2.0) * 0.81;
  const PairTerm<double> term = sim::lennard_jones<false>(c, q);
  EXPECT_NEAR(term.energy, -1.3, 4e-16 * 10);
  EXPECT_NEAR(term.force, 0, 1e-13);
  EXPECT_NEAR(sim::lennard_jones<false>(c, 0.81).energy, 0, 1e-14);  // at sigma
}

template <PairTerms terms>
void expect_force_is_derivative(const PairCoefficients<double>& c, const std::string& what) {
  for (double r = 0.85; r < 2.3; r += 0.0137) {
    const double q = r * r, h = 1e-5;
    // Skip differences across a cutoff, where the energy may be discontinuous.
    if (std::abs(q - c.squared_cutoff) < 3 * h || std::abs(q - c.squared_electric) < 3 * h)
      continue;
    const double numeric =
        (sim::pair_term<terms>(c, q + h).energy - sim::pair_term<terms>(c, q - h).energy) / (2 * h);
    const PairTerm<double> term = sim::pair_term<terms>(c, q);
    // Error of the difference: h^2 / 6 of the third derivative, below 1e5 here, and round-off over
    // h.
    EXPECT_NEAR(term.force, -2 * numeric, 2e-5 + 1e-6 * std::abs(term.force))
        << what << " at " << r;
  }
}

TEST(LennardJones, ForcesAreDerivativesOfEnergies) {
  using enum Electric;
  expect_force_is_derivative<PairTerms{false, none}>(coefficients("plain"), "plain");
  expect_force_is_derivative<PairTerms{false, none}>(coefficients("shifted"), "shifted");
  expect_force_is_derivative<PairTerms{true, none}>(coefficients("switched"), "switched");
  expect_force_is_derivative<PairTerms{false, reaction_field}>(
      coefficients("shifted", reaction_field), "charged");
  expect_force_is_derivative<PairTerms{true, reaction_field}>(
      coefficients("switched", reaction_field), "switched and charged");
  expect_force_is_derivative<PairTerms{false, yukawa}>(coefficients("shifted", yukawa), "screened");
  expect_force_is_derivative<PairTerms{true, yukawa}>(coefficients("switched", yukawa),
                                                      "switched and screened");
}

TEST(LennardJones, EndsAtTheCutoffAsItsTruncationSays) {
  const double inside = 2.2 * 2.2 * (1 - 1e-9), outside = 2.2 * 2.2 * (1 + 1e-9);
  const auto energy = [&](const char* truncation, double q) {
    const PairCoefficients<double> c = coefficients(truncation);
    return std::string(truncation) == "switched" ? sim::lennard_jones<true>(c, q).energy
                                                 : sim::lennard_jones<false>(c, q).energy;
  };
  const double six = std::pow(0.9 / 2.2, 6), full = 4 * 1.3 * (six * six - six);
  EXPECT_NEAR(energy("plain", inside), full, 1e-8);
  EXPECT_NEAR(energy("shifted", inside), 0, 1e-8);
  EXPECT_NEAR(energy("switched", inside), 0, 1e-14);
  for (const char* truncation : {"plain", "shifted", "switched"})
    EXPECT_EQ(energy(truncation, outside), 0);
  // Unchanged below switch_from, up to the round-off of a cube times its inverse.
  EXPECT_NEAR(energy("switched", 1.6 * 1.6), energy("plain", 1.6 * 1.6), 1e-15);
}

TEST(ReactionField, IsCoulombsEnergyInADielectricMedium) {
  const PairCoefficients<double> c = coefficients("shifted", Electric::reaction_field);
  // Tironi et al. 1995: k = (e - 1) / (2 e + 1) / R^3, c = 1/R + k R^2.
  const double k = 29.0 / 61.0 / 8.0, shift = 0.5 + k * 4.0;
  EXPECT_NEAR(sim::reaction_field(c, 1.44).energy, 0.7 * -2 * (1 / 1.2 + k * 1.44 - shift), 1e-15);
  EXPECT_NEAR(sim::reaction_field(c, 4 * (1 - 1e-12)).energy, 0, 1e-11);
  EXPECT_EQ(sim::reaction_field(c, 4.0).force, 0);
}

TEST(Yukawa, IsCoulombsEnergyScreenedAndShifted) {
  const PairCoefficients<double> c = coefficients("shifted", Electric::yukawa);
  const double charges = 0.7 * -2;
  const auto plain = [](double r) { return std::exp(-r / 0.5) / r; };
  EXPECT_NEAR(sim::yukawa(c, 1.44).energy, charges * (plain(1.2) - plain(2.0)), 1e-15);
  // -dU/dr / r = C e^(-r/l) (1/r + 1/l) / r^2.
  EXPECT_NEAR(sim::yukawa(c, 1.44).force, charges * plain(1.2) * (1 / 1.2 + 2) / 1.2, 1e-14);
  EXPECT_NEAR(sim::yukawa(c, 4 * (1 - 1e-12)).energy, 0, 1e-12);
  EXPECT_EQ(sim::yukawa(c, 4.0).force, 0);
  // Hardly screened it is Coulomb's.
  PairCoefficients<double> bare = c;
  bare.screening = 1e-9, bare.electric_shift = 0;
  EXPECT_NEAR(sim::yukawa(bare, 1.44).force, charges / (1.2 * 1.44), 1e-14);
}

TEST(NearestImage, IsWithinHalfOfTheLengthAndAntisymmetric) {
  for (double d = -40; d < 40; d += 0.173) {
    const double image = sim::nearest_image(d, 7.0, 1 / 7.0);
    EXPECT_LE(std::abs(image), 3.5 * (1 + 1e-15));
    EXPECT_NEAR(std::remainder(image - d, 7.0), 0, 1e-13);
    EXPECT_EQ(sim::nearest_image(-d, 7.0, 1 / 7.0), -image);
    const auto f = static_cast<float>(d);
    EXPECT_EQ(sim::nearest_image(-f, 7.0f, 1 / 7.0f), -sim::nearest_image(f, 7.0f, 1 / 7.0f));
    EXPECT_EQ(sim::nearest_image(d, 0.0, 0.0), d);
  }
}

TEST(NearestImage, WrappedPositionsAreWithinTheDomain) {
  for (double x = -30; x < 30; x += 0.37) {
    const auto w = sim::wrapped(x, -1.0, 4.0);
    EXPECT_GE(w.position, -1);
    EXPECT_LT(w.position, 3);
    EXPECT_NEAR(w.position + 4 * w.lengths, x, 1e-14 * 30);
  }
  // Just below the domain: the image would round to the upper end. It is at the lower end, and no
  // period is counted.
  const auto w = sim::wrapped(-1e-9f, 0.0, 4.0);
  EXPECT_EQ(w.position, 0.0f);
  EXPECT_EQ(w.lengths, 0.0f);
}

}  // namespace
}  // namespace mote::test
