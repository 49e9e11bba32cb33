// Potentials of bodies, and the accelerations that belong to them, as snapshots hold them.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "sim/run/health.h"
#include "tests/support/backend.h"

namespace mote::test {
namespace {

using sim::StateView;

class Potentials : public OnEveryBackend {
 protected:
  static int bodies() { return on_gpu() && gpu_is_emulated() ? 300 : 2'000; }
  static std::string cluster(const std::string& solver, const std::string& precision = "double") {
    return "return { gravity = { softening = 0.02, solver = '" + solver +
           "', accuracy = 1e-3 }, integrator = { dt = 1 / 64 }, precision = '" + precision +
           "', bodies = plummer { n = " + std::to_string(bodies()) + " } }";
  }
};
MOTE_ON_EVERY_BACKEND(Potentials);

// Few roundings of 1e-16 each. Softened distances are 5 and 41^(1/2); the third body has no mass,
// and the fourth, in the place of the first, does not interact with it.
TEST_P(Potentials, OfFewBodiesAreThoseOfNewton) {
  for (const std::string solver : {"direct", "multipole"}) {
    const auto simulation =
        open("return { gravity = { softening = 3, constant = 0.5, solver = '" + solver + R"(' },
      integrator = { dt = 1 }, precision = "double", bodies = {
        { mass = 2, position = { 0, 0, 0 } },
        { mass = 3, position = { 0, 4, 0 } },
        { mass = 0, position = { 0, 0, 4 } },
        { mass = 7, position = { 0, 0, 0 } } } })");
    const std::vector<double> found = simulation->potentials();
    ASSERT_EQ(found.size(), 4u);
    const double expected[] = {-0.5 * 3 / 5, -0.5 * (2 + 7) / 5.0,
                               -0.5 * ((2 + 7) / 5.0 + 3 / std::sqrt(41)), -0.5 * 3 / 5};
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_NEAR(found[i], expected[i], 1e-14) << solver << ", body " << i;
  }
}

// Both are sums of the same terms in another order: N of them, rounded to 1.1e-16 each, are within
// 2,000 * 1.1e-16 = 2e-13. On a GPU expansions are in single precision where the forces are, for
// both.
TEST_P(Potentials, WeightedWithMassesAreTwiceThePotentialEnergy) {
  for (const std::string solver : {"direct", "multipole"})
    for (const std::string precision : {"single", "mixed", "double"}) {
      const auto simulation = open(cluster(solver, precision));
      const std::vector<double> found = simulation->potentials();
      double twice = 0;
      simulation->state().visit([&](auto s) {
        ASSERT_EQ(found.size(), static_cast<std::size_t>(s.count));
        for (engine::Index i = 0; i < s.count; ++i)
          twice += static_cast<double>(s.mass[i]) * found[static_cast<std::size_t>(i)];
      });
      const double energy = simulation->measure().potential;
      EXPECT_LT(energy, 0);
      EXPECT_NEAR(twice / 2 / energy, 1, 2e-13) << solver << ", " << precision;
    }
}

// Expansions of 1e-3 against sums over all pairs. Potentials have fewer derivatives of the
// expansion than forces, and no cancellation: their errors are smaller than those of forces, of
// which 1 in 100 may be above 1e-3.
TEST_P(Potentials, ByExpansionsAreThoseOfDirectSums) {
  const std::vector<double> exact = open(cluster("direct"))->potentials(),
                            found = open(cluster("multipole"))->potentials();
  ASSERT_EQ(exact.size(), found.size());
  double worst = 0;
  for (std::size_t i = 0; i < exact.size(); ++i)
    worst = std::max(worst, std::fabs(found[i] / exact[i] - 1));
  EXPECT_LT(worst, 1e-3);
}

// Of massless bodies at distances of 1 - h, 1 and 1 + h from a point mass; the difference quotient
// of -1 / r is off by h^2 (1 + h^2 + ...), and round-off by 1e-16 / h.
TEST_P(Potentials, DeclineAsTheBodiesAreAccelerated) {
  constexpr double h = 1e-3;
  const auto simulation = open(R"(return { gravity = {}, integrator = { dt = 1e-6 },
    precision = "double", bodies = {
      { mass = 1, position = { 0, 0, 0 } }, { mass = 0, position = { 0.999, 0, 0 } },
      { mass = 0, position = { 1, 0, 0 } }, { mass = 0, position = { 1.001, 0, 0 } } } })");
  const std::vector<double> found = simulation->potentials();
  const double slope = (found[3] - found[1]) / (2 * h);
  simulation->state().visit([&](auto s) { EXPECT_NEAR(s.ax[2], -slope, 1.01 * h * h); });
}

TEST_P(Potentials, ExistWithGravityOnly) {
  const auto simulation = open(
      "return { integrator = { dt = 1 }, fields = uniform { acceleration = { 0, 0, -1 } },"
      "bodies = { { mass = 1, position = { 0, 0, 0 } } } }");
  EXPECT_TRUE(simulation->potentials().empty());
}

TEST_P(Potentials, AndSamplesOfErrorsChangeNoBitOfTheRun) {
  for (const std::string solver : {"direct", "multipole"})
    for (const std::string precision : {"single", "double"}) {
      const auto watched = open(cluster(solver, precision)),
                 alone = open(cluster(solver, precision));
      for (int k = 0; k < 4; ++k) {
        watched->advance(3, {});
        watched->potentials();
        watched->force_errors();
      }
      alone->advance(12, {});
      EXPECT_EQ(watched->hash(), alone->hash()) << solver << ", " << precision;
      EXPECT_EQ(watched->interactions(), alone->interactions()) << solver << ", " << precision;
    }
}

// A hundredth by counts: the sample has min(1024, N) N sums in double, of two interactions each,
// and an evaluation of N^2 pairs. All N bodies are a sample of these few: 3 N^2 in all.
TEST_P(Potentials, SamplesOfErrorsAreAHundredthOfTheInteractions) {
  const auto simulation = open(
      "return { gravity = { solver = 'multipole', softening = 0.02 }, integrator = { dt = 1 / 64 "
      "}, "
      "bodies = plummer { n = 60 } }");  // one leaf: all pairs
  EXPECT_EQ(sim::steps_between_error_samples(*simulation), 200u) << "before the first step";
  simulation->advance(2, {});
  EXPECT_EQ(simulation->interactions(), 2u * 60 * 60);
  EXPECT_EQ(sim::steps_between_error_samples(*simulation), 300u);
}

}  // namespace
}  // namespace mote::test
