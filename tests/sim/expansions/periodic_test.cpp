// Gravity in a periodic box against Ewald's sum and known answers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "engine/check.h"
#include "engine/math/random.h"
#include "sim/expansions/force_errors.h"
#include "sim/expansions/multipole.h"
#include "sim/gravity/solver.h"
#include "sim/space/list_fields.h"
#include "tests/support/backend.h"
#include "tests/support/ewald.h"
#include "tests/support/on_device.h"

namespace mote::test {
namespace {

using engine::Backend;
using engine::Host;
using engine::Index;
using engine::Precision;
using engine::Vec3d;
using sim::Domain;
using sim::MultipoleSettings;
using sim::State;
using std::numbers::pi;

struct Body {
  Vec3d at;
  double mass;
};

Domain box(Vec3d length, Vec3d low = {0, 0, 0}) {
  return {.low = low, .length = length, .periodic = {true, true, true}};
}

State<Host> state_of(const std::vector<Body>& bodies, const Domain& domain,
                     Precision precision = Precision::double_) {
  sim::StateLayout layout;
  sim::add_images(domain, layout);
  State<Host> state(static_cast<Index>(bodies.size()), precision, layout);
  state.visit([&]<class Real>(sim::StateView<Real> s) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      state.id()[i] = static_cast<std::uint32_t>(i);
      s.mass[i] = static_cast<Real>(bodies[i].mass);
      s.x[i] = static_cast<Real>(bodies[i].at.x);
      s.y[i] = static_cast<Real>(bodies[i].at.y);
      s.z[i] = static_cast<Real>(bodies[i].at.z);
    }
  });
  return state;
}

std::vector<Body> random_bodies(Index n, Vec3d length, std::uint64_t seed = 1) {
  std::vector<Body> bodies;
  for (Index i = 0; i < n; ++i) {
    engine::Random random(seed, 0, static_cast<std::uint64_t>(i));
    const double x = random.uniform(0, length.x), y = random.uniform(0, length.y),
                 z = random.uniform(0, length.z);
    bodies.push_back({{x, y, z}, 1.0 / double(n)});
  }
  return bodies;
}

/// The finest settings: pairs and expansions of high order alone.
MultipoleSettings finest() {
  MultipoleSettings settings = sim::multipole_settings(1e-9, 8, 0, Backend::cpu);
  settings.in_single = false;
  return settings;
}

class PeriodicGravity : public OnEveryBackend {
 protected:
  static std::vector<Vec3d> accelerations(State<Host>& state, const Domain& domain,
                                          const MultipoleSettings& settings = finest()) {
    state.visit([](auto s) {
      for (auto* column : {s.ax, s.ay, s.az}) std::fill(column, column + s.count, 0);
    });
    if (on_gpu()) {
      device_multipole(settings, 0, state, domain);
    } else {
      sim::StepReport report;
      sim::MultipoleSolver(settings, 0, 1, domain)
          .run({2, engine::best_simd_level()}, state, report);
    }
    std::vector<Vec3d> all;
    state.visit([&](auto s) {
      for (Index i = 0; i < s.count; ++i) all.push_back({s.ax[i], s.ay[i], s.az[i]});
    });
    return all;
  }
  static double potential_energy(const State<Host>& state, const Domain& domain) {
    if (on_gpu()) return device_multipole_potential(finest(), 0, state, domain);
    return sim::MultipoleSolver(finest(), 0, 1, domain)
        .potential_energy({2, engine::best_simd_level()}, state);
  }
  static Index bodies(Index here, Index emulated) {
    return on_gpu() && gpu_is_emulated() ? emulated : here;
  }
};
MOTE_ON_EVERY_BACKEND(PeriodicGravity);

// Values of Ewald's sum with a neutralising background for L = 1, by two widths that agree to
// 6e-14. The potential of the images is exact to 1e-10 of 1 / L, its gradient to the number of
// polynomials times as much.
TEST_P(PeriodicGravity, IsEwaldsSum) {
  struct Row {
    Vec3d d, attraction;
  };
  const std::vector<Row> rows{
      {{0.25, 0, 0}, {-14.753540423540, 0, 0}},
      {{0.25, 0.1, 0.05}, {-10.989059190534, -4.562007669013, -2.290425628500}},
      {{0.4, 0.3, 0.2}, {-1.094181919951, -1.321253743897, -1.069052291445}},
      {{0.5, 0.5, 0.5}, {0, 0, 0}},
      {{0.5, 0.25, 0}, {0, -1.522133579652, 0}}};
  const Domain domain = box({1, 1, 1}, {-0.5, -0.5, -0.5});
  for (const Vec3d source : {Vec3d{0, 0, 0}, Vec3d{-0.4, -0.3, -0.2}, Vec3d{-0.5, 0.49, 0.1}}) {
    std::vector<Body> bodies{{source, 1}};
    for (const Row& row : rows) bodies.push_back({source + row.d, 0});
    State<Host> state = state_of(bodies, domain);
    const std::vector<Vec3d> a = accelerations(state, domain);
    for (std::size_t k = 0; k < rows.size(); ++k)
      EXPECT_LT(length(a[k + 1] - rows[k].attraction), 1e-9 * 15) << k << " " << source.x;
    EXPECT_LT(length(a[0]), 2e-8) << "its own images pull from all sides alike";
  }
}

// Where the polynomials are worst: at faces and in corners of the box, opposite each other.
TEST_P(PeriodicGravity, IsEwaldsSumInTheCorners) {
  for (const Vec3d length : {Vec3d{1, 1, 1}, Vec3d{1, 1, 3}}) {
    const Domain domain = box(length);
    const double longest = std::max(length.x, length.z);
    std::vector<Body> bodies{{{0.001, 0.001, 0.001}, 1}};
    for (const Vec3d at :
         {Vec3d{0.998, 0.998, 0.5}, Vec3d{0.998, 0.5, 0.998}, Vec3d{0.998, 0.998, 0.998},
          Vec3d{0.5, 0.998, 0.002}, Vec3d{0.25, 0.002, 0.998}})
      bodies.push_back({{at.x * length.x, at.y * length.y, at.z * length.z}, 0});
    State<Host> state = state_of(bodies, domain);
    const std::vector<Vec3d> a = accelerations(state, domain);
    for (std::size_t k = 1; k < bodies.size(); ++k) {
      const Vec3d exact = ewald(bodies[k].at - bodies[0].at, length);
      EXPECT_LT(engine::length(a[k] - exact),
                8e-7 / (longest * longest) + 1e-12 * engine::length(exact))
          << k << " " << length.z;
    }
  }
}

// The potential at a body of all its own images, and of a neutral pair: the energy of a lattice.
TEST_P(PeriodicGravity, HasTheEnergyOfALatticeOfPoints) {
  const Domain domain = box({2, 2, 2});
  const State<Host> alone = state_of({{{0.3, 1.9, 1}, 3}}, domain);
  EXPECT_NEAR(potential_energy(alone, domain), 0.5 * 9 / 2 * 2.837297479481, 1e-8);
  // By the displacement (1/4, 1/10, 1/20) L, that of both.
  const State<Host> pair = state_of({{{1.8, 1.9, 1}, 1}, {{0.3, 0.1, 1.1}, 2}}, domain);
  EXPECT_NEAR(potential_energy(pair, domain),
              0.5 * 5 / 2 * 2.837297479481 - 2.0 / 2 * 0.976155398390, 1e-8);
}

// By symmetry; what is left is round-off of fields that cancel, and errors of expansions of order 8
// within cells of the lattice.
TEST_P(PeriodicGravity, OfALatticeVanishes) {
  const Domain domain = box({1, 1, 1});
  const int n = static_cast<int>(bodies(12, 6));
  std::vector<Body> lattice;
  for (int x = 0; x < n; ++x)
    for (int y = 0; y < n; ++y)
      for (int z = 0; z < n; ++z)
        lattice.push_back({{(x + 0.3) / n, (y + 0.9) / n, (z + 0.5) / n}, 1.0 / (n * n * n)});
  State<Host> state = state_of(lattice, domain);
  // The attraction by a neighbour alone.
  const double neighbour = n * n * 1.0 / (n * n * n);
  for (const Vec3d a : accelerations(state, domain)) EXPECT_LT(length(a), 1e-7 * neighbour);
}

// Against the sum of Ewald over all bodies, in boxes of other shapes too. Relative to the sum of
// m / r^2, as the solver promises.
TEST_P(PeriodicGravity, OfManyBodiesIsThatOfAllTheirImages) {
  for (const Vec3d length : {Vec3d{1, 1, 1}, Vec3d{4, 3, 2}, Vec3d{1, 1, 3}}) {
    const Domain domain = box(length);
    const std::vector<Body> places = random_bodies(bodies(2'000, 300), length);
    const std::size_t stride = places.size() / 10;
    std::vector<Vec3d> exact(places.size());
    std::vector<double> field(places.size());
    for (std::size_t i = 0; i < places.size(); i += stride)
      for (const Body& b : places) {
        const Vec3d d = places[i].at - b.at;
        exact[i] += b.mass * ewald(d, length);
        if (&b != &places[i]) field[i] += b.mass / dot(d, d);
      }
    for (const double accuracy : {1e-3, 1e-6}) {
      State<Host> state = state_of(places, domain);
      MultipoleSettings settings = sim::multipole_settings(accuracy, 0, 0, GetParam());
      settings.in_single = accuracy >= 1e-5;
      const std::vector<Vec3d> a = accelerations(state, domain, settings);
      for (std::size_t i = 0; i < places.size(); i += stride)
        EXPECT_LT(engine::length(a[i] - exact[i]), accuracy * field[i])
            << length.x << " " << length.z;
    }
  }
}

// A box of two cubes side by side is the same universe as one of them.
TEST_P(PeriodicGravity, DoesNotDependOnWhereTheBoxEnds) {
  const std::vector<Body> cube = random_bodies(bodies(500, 100), {1, 1, 1});
  std::vector<Body> two = cube;
  for (const Body& b : cube) two.push_back({b.at + Vec3d{1, 0, 0}, b.mass});
  const Domain one = box({1, 1, 1}), both = box({2, 1, 1});
  State<Host> a = state_of(cube, one), b = state_of(two, both);
  const std::vector<Vec3d> of_one = accelerations(a, one), of_both = accelerations(b, both);
  for (std::size_t i = 0; i < cube.size(); ++i) {
    EXPECT_LT(length(of_both[i] - of_one[i]), 1e-6 * std::max(1.0, length(of_one[i])));
    EXPECT_LT(length(of_both[i + cube.size()] - of_one[i]),
              1e-6 * std::max(1.0, length(of_one[i])));
  }
  EXPECT_NEAR(potential_energy(b, both), 2 * potential_energy(a, one), 1e-7);
}

// Positions are multiples of 2^-20 and lengths of the box a power of two, so that images are exact.
TEST_P(PeriodicGravity, OfBodiesThatLeftTheBoxIsThatOfTheirImages) {
  const Domain domain = box({2, 2, 2}, {-1, -1, -1});
  std::vector<Body> inside = random_bodies(bodies(1'000, 100), {1.875, 1.875, 1.875}), outside;
  for (Body& b : inside)
    for (double* x : {&b.at.x, &b.at.y, &b.at.z}) *x = std::round(*x * 0x1p20) / 0x1p20 - 0.9375;
  for (std::size_t i = 0; i < inside.size(); ++i)
    outside.push_back(
        {inside[i].at + Vec3d{i % 3 == 0 ? 2.0 : 0, i % 5 == 0 ? -4.0 : 0, 0}, inside[i].mass});
  State<Host> a = state_of(inside, domain), b = state_of(outside, domain);
  EXPECT_EQ(accelerations(a, domain), accelerations(b, domain));
  b.visit([&](auto s) {
    for (std::size_t i = 0; i < inside.size(); ++i) {
      EXPECT_EQ(s.x[i], inside[i].at.x);
      EXPECT_EQ(s[sim::fields::image][0][i], i % 3 == 0 ? 1 : 0);
      EXPECT_EQ(s[sim::fields::image][1][i], i % 5 == 0 ? -2 : 0);
    }
  });
}

// Jeans (1902): waves of cold matter of uniform density rho grow as cosh(t (4 pi G rho)^(1/2)). On
// a lattice of n^3 bodies the rate of the longest wave along an axis differs: its square by about
// (2 pi / n)^2 / 10 (Marcos et al. 2006, PRD 74, 073010, figure 1), 1.5 % for n = 16.
TEST_P(PeriodicGravity, MakesWavesGrowAsJeansSaid) {
  const int n = static_cast<int>(bodies(16, 6));
  const std::string scene =
      "local n = " + std::to_string(n) +
      "\n"
      "local bodies = {}\n"
      "for i = 0, n ^ 3 - 1 do\n"
      "  local x, y, z = (i % n + 0.5) / n, (i // n % n + 0.5) / n, (i // (n * n) + 0.5) / n\n"
      "  bodies[#bodies + 1] = { mass = 1 / n ^ 3, position = { x + 0.002 * math.sin(2 * math.pi * "
      "x), y, z } }\n"
      "end\n"
      "return { gravity = { constant = 1, accuracy = 1e-5 }, precision = 'double', domain = { size "
      "= "
      "{ 1, 1, 1 }, center = { 0.5, 0.5, 0.5 } }, integrator = { dt = 1 / 128 }, bodies = bodies }";
  const auto simulation = open(scene);
  const double time = 0.5;
  simulation->advance(static_cast<std::uint64_t>(time * 128), {});
  double amplitude = 0;
  simulation->state().visit([&](auto s) {
    for (Index i = 0; i < s.count; ++i) {
      const double place = (static_cast<double>(s.id[i] % static_cast<unsigned>(n)) + 0.5) / n;
      amplitude += 2 * (double(s.x[i]) - place) * std::sin(2 * pi * place) / double(s.count);
    }
  });
  const double expected = 0.002 * std::cosh(time * std::sqrt(4 * pi));
  EXPECT_NEAR(amplitude, expected, (4 * pi * pi / (n * n)) * expected);
  EXPECT_GT(amplitude, 0.002 * 2.5);
}

TEST_P(PeriodicGravity, ErrorsOfASampleAreThoseOfAllImages) {
  const std::string scene =
      "return { gravity = { accuracy = 1e-3 }, domain = { size = { 2, 2, 2 } }, integrator = { dt "
      "= 1 }, bodies = plummer { n = " +
      std::to_string(bodies(5'000, 500)) + ", scale = 0.2, cutoff = 0.9 } }";
  const auto simulation = open(scene);
  const auto errors = simulation->force_errors();
  ASSERT_TRUE(errors);
  EXPECT_EQ(errors->bodies, 256);
  EXPECT_TRUE(errors->kept()) << errors->percentile_99;
}

// Small waves in a box: what is far away cancels, and a neighbour pulls as much as all of it. A
// lattice of 20 bodies a side does not fit into the cells of the tree; of fewer, the cells of the
// tree are too few for their errors to cancel (decision 65).
TEST_P(PeriodicGravity, KeepsItsAccuracyWhereMatterIsNearlyUniform) {
  const Index side = 20;
  const auto simulation = open(
      "return { gravity = { accuracy = 1e-3 }, domain = { size = { 1, 1, 1 } }, integrator = { dt "
      "= 1 }, bodies = zeldovich { n = " +
      std::to_string(side * side * side) +
      ", shape = 'box', mass = 1, size = 1, amplitude = 0.25, spectral_index = -1, waves = " +
      std::to_string(side / 2) + " } }");
  const auto errors = simulation->force_errors();
  ASSERT_TRUE(errors);
  EXPECT_TRUE(errors->kept()) << errors->percentile_99;
}

// In a crystal all attractions cancel: relative to what is left, rounding, any error is huge.
TEST_P(PeriodicGravity, ErrorsOfACrystalAreRelativeToAllThatAttracts) {
  const auto simulation = open(
      "return { gravity = { accuracy = 1e-3, solver = \"multipole\" }, domain = { size = { 8, 8, 8 "
      "} }, "
      "integrator = { dt = 1 }, bodies = lattice { counts = { 8, 8, 8 }, spacing = 1, mass = 512 } "
      "}");
  const auto errors = simulation->force_errors();
  ASSERT_TRUE(errors);
  EXPECT_TRUE(errors->kept()) << errors->percentile_99;
}

// The percentile of a hundred errors is number 98.01 from 0; it is rounded up, to the worst.
TEST(ForceErrors, OfAHundredBodiesCountTheWorst) {
  std::vector<engine::Vec3d> exact(100, {1, 0, 0}), found = exact;
  found[17].x = 1.5;
  const sim::ForceErrors errors = sim::errors_between(exact, found, {0, 0});
  EXPECT_EQ(errors.percentile_99, 0.5);
  EXPECT_EQ(errors.percentile_90, 0);
}

TEST(PeriodicGravityScenes, ThatCannotBeSummedAreRefused) {
  const auto problem = [](const std::string& domain, const std::string& gravity) -> std::string {
    try {
      scene_of("return { gravity = { " + gravity + " }, domain = { " + domain +
               " }, integrator = { dt = 1 }, bodies = { { mass = 1, position = { 0, 0, 0 } } } }");
    } catch (const engine::InputError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(problem("size = { 1, 1, 1 }", ""), "");
  EXPECT_NE(problem("size = { 1, 1, 1 }, x = 'open'", "")
                .find("needs a domain that is periodic along all axes, or along none"),
            std::string::npos);
  EXPECT_NE(problem("size = { 1, 1, 1 }", "solver = 'direct'")
                .find("direct sums leave out the images of a periodic domain"),
            std::string::npos);
  EXPECT_NE(problem("size = { 1, 9, 1 }", "").find("has sides of ratios above 4"),
            std::string::npos);
  EXPECT_EQ(sim::solver_of({}, true, 10, Backend::cpu, Precision::single).reason,
            "gravity by multipole expansions, the domain is periodic: errors of 99 % of the forces "
            "below 0.001 (order 6, leaves of 64)");
}

}  // namespace
}  // namespace mote::test
