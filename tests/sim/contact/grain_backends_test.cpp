// Grains on every backend: collisions, inclines, sizes, moving obstacles, agreement and hand-over
// between backends.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/text.h"
#include "sim/output/checkpoint.h"
#include "sim/space/ball_fields.h"
#include "tests/support/backend.h"

namespace mote::test {
namespace {

using engine::Backend;
using engine::Precision;
using engine::Vec3d;
using sim::Simulation;

class Grains : public OnEveryBackend {};
MOTE_ON_EVERY_BACKEND(Grains);

/// For tests that compare the GPU with the CPU.
class GrainsOfTheGpu : public OnEveryBackend {
 protected:
  std::unique_ptr<Simulation> on(Backend backend, const std::string& lua, Precision precision) {
    const sim::SceneDescription scene = scene_of(lua);
    return sim::open_simulation(
        scene, sim::make_plan(scene, {.backend = backend, .precision = precision}));
  }
};
INSTANTIATE_TEST_SUITE_P(Backend, GrainsOfTheGpu, testing::Values(Backend::cuda), backend_name);

double largest_distance(Simulation& one, Simulation& other) {
  double largest = 0;
  for (engine::Index i = 0; i < one.count(); ++i)
    largest = std::max(largest, distance(body(one, i).position, body(other, i).position));
  return largest;
}

/// Two grains of radius 0.1 and mass 1 that meet head-on at a speed of 2.
std::string two_that_meet(const std::string& law, double dt) {
  return "return { grains = { radius = 0.1, " + law +
         " }, integrator = { dt = " + engine::number_text(dt) +
         " }, bodies = { { mass = 1, position = { -0.105, 0, 0 }, velocity = { 1, 0, 0 } }, { mass "
         "= 1, "
         "position = { 0.105, 0, 0 }, velocity = { -1, 0, 0 } } } }";
}

/// Steps in which the first grain feels a force.
int steps_of_contact(Simulation& sim, int steps) {
  int touching = 0;
  for (int k = 0; k < steps; ++k) {
    sim.advance(1, {});
    touching += sim.state().visit([](const auto& s) { return s.ax[0] != 0; }) ? 1 : 0;
  }
  return touching;
}

TEST_P(Grains, PartWithTheirRestitutionAfterTheTimeOfTheirSpring) {
  // pi / (w sqrt(1 - d^2)), of the reduced mass 1/2; e = 0.7 is d = 0.1128.
  const double w = std::sqrt(2e4), d = 0.112773, time = 3.14159265359 / (w * std::sqrt(1 - d * d));
  for (const Precision precision : {Precision::single, Precision::double_}) {
    const auto sim =
        open(two_that_meet("model = \"linear\", stiffness = 1e4, restitution = 0.7", time / 200),
             {.precision = precision});
    EXPECT_NEAR(steps_of_contact(*sim, 600), 200, 2);
    EXPECT_NEAR(body(*sim, 0).velocity.x, -0.7, 0.007);
    EXPECT_NEAR(body(*sim, 1).velocity.x, 0.7, 0.007);
  }
}

TEST_P(Grains, OfHertzTouchForTheTimeOfTheClosedForm) {
  // 2.9432 overlap / v with overlap (15 m v^2 / (16 sqrt(R) E*))^(2/5); E* = E / (2 (1 - nu^2)),
  // reduced mass 0.5, radius 0.05.
  const double modulus = 1e6 / (2 * (1 - 0.09)),
               overlap = std::pow(15 * 0.5 * 4 / (16 * std::sqrt(0.05) * modulus), 0.4),
               time = 2.9432 * overlap / 2;
  const auto sim =
      open(two_that_meet("young_modulus = 1e6, poisson = 0.3, restitution = 1", time / 200),
           {.precision = Precision::double_});
  EXPECT_NEAR(steps_of_contact(*sim, 500), 200, 2);
  EXPECT_NEAR(body(*sim, 0).velocity.x, -1, 0.01);
}

TEST_P(Grains, SlideDownASteepSlopeAgainstTheirFriction) {
  // With friction below 2/7 of the slope a ball slides with g (sin - mu cos) and spins up with 5/2
  // mu g cos / r. It starts at its equilibrium overlap.
  const auto sim = open(
      "return { grains = { radius = 0.1, density = 2500, friction = 0.05 }, integrator = { dt = "
      "0.0001 }, "
      "fields = { uniform { acceleration = { 0, 0, -9.81 } } }, obstacles = { plane { normal = { "
      "0.6, 0, 0.8 "
      "} } }, "
      "bodies = { { position = { 0.059353, 0, 0.079137 } } } }",
      {.precision = Precision::double_});
  const auto spin = [&] {
    return sim->state().visit([](const auto& s) { return double(s[sim::fields::spin[1]][0]); });
  };
  // After the first milliseconds, in which friction builds up with its spring.
  sim->advance(200, {});
  const double first_spin = spin(), first = body(*sim, 0).velocity.x;
  sim->advance(1000, {});
  EXPECT_NEAR((body(*sim, 0).velocity.x - first) / 0.8, 0.1 * 9.81 * (0.6 - 0.05 * 0.8), 0.003);
  // The lever is shorter by the overlap, 1 %.
  EXPECT_NEAR(spin() - first_spin, 0.1 * 2.5 * 0.05 * 9.81 * 0.8 * 0.0989 / 0.01, 0.005);
}

TEST_P(Grains, AreCarriedByAFloorThatMoves) {
  const auto sim = open(
      "return { grains = { radius = 0.1, density = 2500, friction = 0.8 }, integrator = { dt = "
      "0.0002 }, "
      "fields = { uniform { acceleration = { 0, 0, -9.81 } } }, obstacles = { plane { normal = { "
      "0, 0, 1 }, "
      "velocity = { 0.1, 0, 0 } } }, bodies = { { position = { 0, 0, 0.09999 } } } }");
  // It rolls backwards on the belt: friction stops when the contact point moves with the belt, at
  // 2/7 of its speed.
  sim->advance(600, {});
  EXPECT_NEAR(body(*sim, 0).velocity.x, 0.1 * 2 / 7, 0.001);
}

/// 60 small grains fall around a large one on a floor, in a box that is periodic along x and y.
std::string large_among_small(const std::string& law) {
  return "return { domain = { size = { 3, 3, 0 }, z = \"open\" }, grains = { radius = 0.05, spread "
         "= 0.1, "
         "density = 2500, " +
         law +
         " }, fields = { uniform { acceleration = { 0.5, 0, -9.81 } } }, obstacles = { plane { "
         "normal = { 0, "
         "0, 1 }, amplitude = { 0.01, 0, 0.0005 }, frequency = 30 } }, "
         "integrator = { dt = 0.0002 }, bodies = { { position = { 0, 0, 0.5 }, radius = 0.5 }, "
         "translate(lattice { "
         "counts = { 8, 8, 1 }, spacing = 0.12, mass = 1, dispersion = 0.5 }, { 0, 0, 1.06 }) } }";
}

const char* const soft_with_rolling =
    "young_modulus = 1e6, friction = 0.5, rolling_friction = 0.1, cohesion = 0.5";
const char* const linear_spring = "model = \"linear\", stiffness = 1e4, friction = 0.5";

/// Oblique collision of grains of masses 1 and 4 and different sizes, which makes them spin; masses
/// and forces scaled by `unit`.
std::string two_that_graze(const char* law, double unit) {
  return "return { grains = { radius = 0.1, friction = 0.4, rolling_friction = 0.05, " +
         std::string(law) + engine::number_text(unit * 1e4) +
         " }, integrator = { dt = 0.0002 }, bodies = { { mass = " + engine::number_text(unit) +
         ", radius = 0.07, position = { 0.085, 0.011, -0.003 }, velocity = { -0.4, 0.31, 0.12 } }, "
         "{ "
         "mass = " +
         engine::number_text(4 * unit) +
         ", position = { -0.085, 0, 0 }, velocity = { 0.2, -0.1, 0 } } } }";
}
const char* const laws_of_a_stiffness[] = {"model = \"linear\", stiffness = ", "young_modulus = "};

TEST_P(Grains, ExertForcesWithTheSameBitsAndOppositeSign) {
  for (const char* law : laws_of_a_stiffness)
    for (const Precision precision : {Precision::single, Precision::double_}) {
      const auto sim = open(two_that_graze(law, 1), {.precision = precision});
      int touching = 0;
      for (int k = 0; k < 100; ++k) {
        sim->advance(1, {});
        sim->state().visit([&](const auto& s) {
          touching += s.ax[0] != 0 && s.ay[0] != 0 && s.az[0] != 0 ? 1 : 0;
          // Division by four is exact.
          EXPECT_TRUE(s.ax[0] == -4 * s.ax[1] && s.ay[0] == -4 * s.ay[1] && s.az[0] == -4 * s.az[1])
              << law << k;
        });
      }
      EXPECT_GT(touching, 20) << law;
      EXPECT_GT(std::fabs(body(*sim, 0).velocity.z - 0.12), 1e-3) << law;  // there was friction
    }
}

TEST_P(Grains, MoveAlikeWhateverTheUnitOfForce) {
  for (const char* law : laws_of_a_stiffness) {
    const auto usual = open(two_that_graze(law, 1), {.precision = Precision::single});
    usual->advance(100, {});
    // Squares of forces along the surface are around the smallest normal number of single
    // precision, and near the largest.
    for (const double unit : {1e-16, 1e15}) {
      const auto sim = open(two_that_graze(law, unit), {.precision = Precision::single});
      sim->advance(100, {});
      // Velocities below one are rounded a hundred times.
      EXPECT_LT(distance(body(*sim, 0).velocity, body(*usual, 0).velocity), 100 * 6e-8)
          << law << unit;
    }
    // Where products of two masses underflow too, results are coarse, but no grain gains speed.
    const auto least = open(two_that_graze(law, 1e-19), {.precision = Precision::single});
    const Vec3d before = body(*least, 0).velocity;
    least->advance(100, {});
    EXPECT_LE(distance(body(*least, 0).velocity, {0, 0, 0}), distance(before, {0, 0, 0})) << law;
  }
}

TEST_P(GrainsOfTheGpu, AreWhereThoseOfTheCpuAreAfterAHundredSteps) {
  for (const char* law : {soft_with_rolling, linear_spring})
    for (const Precision precision : {Precision::single, Precision::double_}) {
      const auto cpu = on(Backend::cpu, large_among_small(law), precision);
      const auto gpu = on(Backend::cuda, large_among_small(law), precision);
      EXPECT_NEAR(gpu->measure().energy, cpu->measure().energy,
                  1e-6 * std::fabs(cpu->measure().energy));
      cpu->advance(100, {});
      gpu->advance(100, {});
      EXPECT_GT(cpu->force_state().size(), 20 * 40u);
      // Positions near one are rounded a hundred times; contacts amplify the difference about
      // tenfold.
      EXPECT_LT(largest_distance(*cpu, *gpu), precision == Precision::double_ ? 1e-12 : 2e-5)
          << law;
      const double now = cpu->measure().energy;
      EXPECT_NEAR(gpu->measure().energy, now,
                  (precision == Precision::double_ ? 1e-9 : 1e-4) * std::fabs(now));
      EXPECT_EQ(gpu->force_state().size(), cpu->force_state().size());
    }
}

TEST_P(GrainsOfTheGpu, HaveOneHashHoweverOftenTheyRun) {
  const auto one = on(Backend::cuda, large_among_small(soft_with_rolling), Precision::single);
  const auto other = on(Backend::cuda, large_among_small(soft_with_rolling), Precision::single);
  one->advance(120, {});
  other->advance(7, {});
  other->measure();
  other->advance(113, {});
  EXPECT_EQ(one->hash(), other->hash());
  EXPECT_EQ(one->force_state(), other->force_state());
}

TEST_P(GrainsOfTheGpu, ResumeOnAnotherBackendWithTheirSprings) {
  const TemporaryFolder folder;
  const sim::SceneDescription scene = scene_of(large_among_small(soft_with_rolling));
  for (const Backend first : {Backend::cpu, Backend::cuda}) {
    const sim::Plan plan =
        sim::make_plan(scene, {.backend = first, .precision = Precision::double_});
    const auto sim = sim::open_simulation(scene, plan);
    sim->advance(100, {});
    const auto file = folder.path() / ("from" + std::string(name_of(first)) + ".h5");
    sim::write_checkpoint(file, *sim, scene, plan, {});
    const auto elsewhere =
        sim::open_checkpoint(sim::read_checkpoint(file),
                             {.backend = first == Backend::cpu ? Backend::cuda : Backend::cpu});
    EXPECT_EQ(elsewhere->force_state(), sim->force_state());
    EXPECT_EQ(elsewhere->hash(), sim->hash());
    sim->advance(30, {});
    elsewhere->advance(30, {});
    EXPECT_LT(largest_distance(*sim, *elsewhere), 1e-13);
  }
}

TEST_P(GrainsOfTheGpu, LoseNoSpringWhenABufferOverflows) {
  // A narrow funnel of six planes: more obstacles than initial slots. Steps whose buffers
  // overflowed must give the same results.
  std::string funnel;
  for (int k = 0; k < 6; ++k) {
    const double a = 3.14159265359 / 3 * k;
    funnel += "plane { normal = { " + engine::number_text(0.8 * std::cos(a)) + ", " +
              engine::number_text(0.8 * std::sin(a)) + ", 0.6 } }, ";
  }
  const std::string lua =
      "return { grains = { radius = 0.1, density = 2500, friction = 0.3 }, integrator = { dt = "
      "0.0002 }, "
      "fields = { "
      "uniform { acceleration = { 0, 0, -9.81 } } }, obstacles = { " +
      funnel + " }, bodies = { { position = { 0, 0, 0.17 }, velocity = { 0.01, 0.02, 0 } } } }";
  const auto cpu = on(Backend::cpu, lua, Precision::double_),
             gpu = on(Backend::cuda, lua, Precision::double_);
  for (int k = 0; k < 6; ++k) {
    cpu->advance(100, {});
    gpu->advance(100, {});
    EXPECT_EQ(gpu->step(), cpu->step());
    EXPECT_LT(largest_distance(*cpu, *gpu), 1e-11);
    EXPECT_EQ(gpu->force_state().size(), cpu->force_state().size());
  }
  EXPECT_GE(gpu->force_state().size(), 5u * 68);
}

}  // namespace
}  // namespace mote::test
