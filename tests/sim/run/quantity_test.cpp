// Colours and histograms by expressions, density and potential.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/check.h"
#include "sim/measure/local_density.h"
#include "sim/run/extent.h"
#include "sim/scene/read_scene.h"
#include "tests/support/backend.h"

namespace mote::test {
namespace {

using sim::Quantity;
using sim::Scalar;

const std::string cluster = R"(
  return {
    gravity = { softening = 0.05 },
    integrator = { "leapfrog", dt = 0.01 },
    bodies = { plummer { n = 500 } },
    seed = 3,
  })";

class Quantities : public OnEveryBackend {
 protected:
  /// The scalars of all bodies as pictures show them.
  static std::vector<float> packed(sim::Simulation& simulation, const Quantity& quantity) {
    const auto count = static_cast<std::size_t>(simulation.count());
    std::vector<float> positions(3 * count), scalars(count);
    simulation.pack({.positions = positions.data(), .scalars = scalars.data()},
                    {.scalar = quantity});
    return scalars;
  }
};
MOTE_ON_EVERY_BACKEND(Quantities);

TEST_P(Quantities, ByAnExpressionAreThoseOfTheSameScalar) {
  auto simulation = open(cluster);
  simulation->advance(3, {});
  const std::pair<const char*, Scalar> same[]{{"sqrt(vx^2 + vy^2 + vz^2)", Scalar::speed},
                                              {"r", Scalar::radius},
                                              {"m + 0*t", Scalar::mass},
                                              {"-(-z)", Scalar::z}};
  for (const auto& [text, scalar] : same) {
    // Both in double from the same columns, with the same operations.
    EXPECT_EQ(packed(*simulation, Quantity(text)), packed(*simulation, scalar)) << text;
    const sim::Histogram a = simulation->histogram({Quantity(text), 20, {}, {}}),
                         b = simulation->histogram({scalar, 20, {}, {}});
    EXPECT_EQ(a.counts, b.counts) << text;
    EXPECT_EQ(a.bins.low, b.bins.low) << text;
    if (scalar == Scalar::z) continue;  // coordinates may be negative where none is
    const sim::ValueRange c = sim::color_range(*simulation, Quantity(text)),
                          d = sim::color_range(*simulation, scalar);
    EXPECT_EQ(c.low, d.low) << text;
    EXPECT_EQ(c.high, d.high) << text;
  }
}

TEST_P(Quantities, OfExpressionsChangeWithTime) {
  auto simulation = open(cluster);
  simulation->advance(4, {});
  for (const float value : packed(*simulation, Quantity("t"))) EXPECT_FLOAT_EQ(value, 0.04f);
}

TEST_P(Quantities, OfThePotentialAddUpToTheEnergy) {
  auto simulation = open(cluster);
  const std::vector<float> phi = packed(*simulation, Scalar::potential),
                           mass = packed(*simulation, Scalar::mass);
  double energy = 0;
  for (std::size_t i = 0; i < phi.size(); ++i)
    energy += 0.5 * static_cast<double>(mass[i]) * static_cast<double>(phi[i]);
  // Floats: 500 terms of relative error 1e-7.
  const double potential = simulation->measure().potential;
  EXPECT_NEAR(energy, potential, 1e-5 * std::abs(potential));
  const sim::ValueRange range = sim::color_range(*simulation, Scalar::potential);
  EXPECT_LT(range.low, range.high);
  EXPECT_LT(range.high, 0);
}

// A Plummer sphere has the density 3 M / (4 pi a^3) (1 + r^2/a^2)^(-5/2), with a = 3 pi / 16 in
// standard units. The estimate errs by 1 / sqrt(30) = 18 % for one body. Within a fifth of its
// scale length are 4000 * 0.0075 = 30 bodies, whose estimates share neighbours: the mean is as
// uncertain as one. 4 standard deviations, and 10 % for the decline within the reach.
TEST_P(Quantities, OfTheDensityAreThoseOfTheModel) {
  auto simulation = open(R"(return { gravity = { softening = 0.05 },
      integrator = { "leapfrog", dt = 0.01 }, bodies = { plummer { n = 4000 } }, seed = 5 })");
  const std::vector<float> density = packed(*simulation, Scalar::density),
                           radius = packed(*simulation, Scalar::radius);
  const double pi = 3.14159265358979, a = 3 * pi / 16, center = 3 / (4 * pi * a * a * a);
  double sum = 0, expected = 0;
  for (std::size_t i = 0; i < density.size(); ++i) {
    const double q = static_cast<double>(radius[i]) / a;
    if (q > 0.2) continue;
    sum += static_cast<double>(density[i]);
    expected += center * std::pow(1 + q * q, -2.5);
  }
  ASSERT_GT(expected, 0);
  EXPECT_NEAR(sum / expected, 1, 0.82);
  // Over all bodies the errors are independent every 32: 18 % / sqrt(4000 / 32) = 1.6 %; 4 of them
  // and the decline.
  double ratio = 0;
  for (std::size_t i = 0; i < density.size(); ++i) {
    const double q = static_cast<double>(radius[i]) / a;
    if (q < 2) ratio += static_cast<double>(density[i]) / (center * std::pow(1 + q * q, -2.5));
  }
  const auto inner = std::count_if(radius.begin(), radius.end(),
                                   [&](float r) { return static_cast<double>(r) < 2 * a; });
  EXPECT_NEAR(ratio / static_cast<double>(inner), 1, 0.12);
}

TEST_P(Quantities, OfAFluidHaveItsOwnDensity) {
  auto simulation = open(R"(return { fluid = { spacing = 0.05, density = 1000, largest_speed = 1 },
      integrator = { "leapfrog", dt = 1e-4 },
      bodies = { lattice { counts = { 8, 8, 8 }, spacing = 0.05, mass = 64 } } })");
  const std::vector<float> density = packed(*simulation, Scalar::density);
  for (const float value : density) EXPECT_NEAR(value, 1000, 20);
}

// Without periods, bodies at the faces would have neighbours on one side only, in half of the ball.
TEST(LocalDensity, KnowsOfPeriods) {
  constexpr int side = 12;
  sim::State<engine::Host> state(side * side * side, engine::Precision::double_);
  state.visit([](auto s) {
    engine::Index i = 0;
    for (int x = 0; x < side; ++x)
      for (int y = 0; y < side; ++y)
        for (int z = 0; z < side; ++z, ++i)
          s.x[i] = x - 40, s.y[i] = y, s.z[i] = z + 7, s.mass[i] = 2;
  });
  const auto closed = sim::local_density({2}, state, {side, side, side});
  const auto open = sim::local_density({1}, state);
  // The 32nd neighbour of a point of a cubic lattice is at the distance 2, with 31 others within:
  // 6 at 1, 12 at sqrt 2, 8 at sqrt 3 and 6 at 2.
  const double expected = 31 * 2 / (4 * 3.14159265358979 / 3 * 8);
  for (const double value : closed) EXPECT_NEAR(value, expected, 1e-12 * expected);
  EXPECT_LT(open.front(), 0.3 * expected);
}

TEST(LocalDensity, OfFewBodiesIsFinite) {
  for (int count : {1, 2, 3}) {
    sim::State<engine::Host> state(count, engine::Precision::double_);
    state.visit([&](auto s) {
      for (int i = 0; i < count; ++i) s.x[i] = i, s.mass[i] = 1;
    });
    for (const double value : sim::local_density({1}, state)) EXPECT_TRUE(std::isfinite(value));
  }
}

std::string problem_of(const std::string& color, const std::string& more = "") {
  try {
    sim::read_scene_text("a.lua",
                         "return { integrator = { dt = 1 }, bodies = { { mass = 1, "
                         "position = {0, 0, 0} } }, " +
                             more + "\nview = { color = \"" + color + "\" } }");
    return "";
  } catch (const engine::InputError& e) {
    return e.what();
  }
}

TEST(QuantityOfAScene, NamesPlaceProblemAndRemedy) {
  EXPECT_EQ(problem_of("sqrt(x^2 + y^2)"), "");
  EXPECT_EQ(problem_of("density"), "");
  EXPECT_EQ(problem_of("potential", "gravity = { softening = 1 },"), "");
  EXPECT_EQ(problem_of("spead"),
            "a.lua:2: view.color: bodies have no scalar \"spead\"; did you mean 'speed'?");
  EXPECT_EQ(problem_of("x + q"),
            "a.lua:2: view.color: unknown name 'q', at character 5; known are x, y, z, vx, vy, vz, "
            "m, t, r, pi\n  x + q\n      ^");
  EXPECT_EQ(problem_of("potential"),
            "a.lua:2: view.color: the potential is that of gravity, which the scene does not "
            "have; choose something else");
}

}  // namespace
}  // namespace mote::test
