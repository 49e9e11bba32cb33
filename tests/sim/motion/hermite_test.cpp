#include "sim/motion/hermite.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <numbers>
#include <string>
#include <vector>

#include "sim/history/history.h"
#include "sim/output/checkpoint.h"
#include "tests/support/backend.h"

namespace mote::test {
namespace {

using engine::Vec3d;

class Hermite : public OnEveryBackend {};
MOTE_ON_EVERY_BACKEND(Hermite);
class LongHermite : public LongOnEveryBackend {};
MOTE_ON_EVERY_BACKEND(LongHermite);

sim::SceneDescription cluster(int bodies, double eta, const std::string& precision = "double") {
  return scene_of(fmt::format(
      "return {{ precision = '{}', gravity = {{ softening = 0.01 }}, integrator = {{ 'hermite', "
      "eta = {}, dt = 0.125 }}, bodies = plummer {{ n = {} }} }}",
      precision, eta, bodies));
}

/// Two bodies of mass 1/2 at their apocentre, on an orbit with a semi-major axis and G M of 1: its
/// period is 2 pi.
sim::SceneDescription binary(double eccentricity, double eta, const std::string& dt = "") {
  const double e = eccentricity, x = (1 + e) / 2, v = std::sqrt((1 - e) / (1 + e)) / 2;
  return scene_of(fmt::format(
      "return {{ precision = 'double', gravity = {{ }}, integrator = {{ 'hermite', eta = {} {} }}, "
      "bodies = {{ {{ mass = 0.5, position = {{ {:.17g}, 0, 0 }}, velocity = {{ 0, {:.17g}, 0 }} "
      "}}, {{ mass = 0.5, position = {{ -{:.17g}, 0, 0 }}, velocity = {{ 0, -{:.17g}, 0 }} }} }} "
      "}}",
      eta, dt, x, v, x, v));
}

/// A body at a time within the last step.
Orbit moved_at(sim::Simulation& simulation, double time, engine::Index i = 0) {
  pass(simulation, time);
  Orbit found{};
  EXPECT_TRUE(simulation.with_state_at(time, [&] { found = body(simulation, i); }));
  return found;
}

/// Distance of the first body from where it is after whole orbits.
double error_after(sim::Simulation& simulation, int orbits) {
  const Vec3d start = body(simulation, 0).position;
  return distance(moved_at(simulation, 2 * std::numbers::pi * orbits).position, start);
}

// The error of a step is O(dt^5), that of a time O(dt^4), and dt is proportional to eta. Steps of
// powers of two: half of eta halves each.
TEST_P(Hermite, IsOfFourthOrder) {
  double before = 0;
  for (const double eta : {0.04, 0.02, 0.01}) {
    const double error = error_after(*open(binary(0.5, eta, ", dt = 0.5")), 1);
    if (before > 0) {
      EXPECT_GT(before / error, 12) << eta;
      EXPECT_LT(before / error, 21) << eta;
    }
    before = error;
  }
  EXPECT_LT(before, 1e-8);
}

TEST_P(LongHermite, KeepsTheEnergyOfAClusterToABillionthInACrossingTime) {
  const double crossing = 2 * std::numbers::sqrt2;
  double errors[2];
  for (const int k : {0, 1}) {
    const auto simulation = open(cluster(256, k == 0 ? 0.05 : 0.025));
    simulation->measure();
    pass(*simulation, crossing);
    errors[k] = std::fabs(simulation->measure().energy_error);
  }
  EXPECT_LT(errors[0], 1e-9);
  EXPECT_LT(errors[1], errors[0] / 8);
}

// Forces are rounded to 1e-7, and those of close pairs to 1e-5. That may shorten some steps by a
// bin, but not without limit: half of eta doubles their number.
TEST_P(LongHermite, StepsDoNotShrinkForRoundingInSinglePrecision) {
  for (const std::string precision : {"single", "mixed"}) {
    std::uint64_t steps[3];
    for (const int k : {0, 1, 2}) {
      const auto simulation = open(cluster(128, 0.05 / (1 << k), precision));
      simulation->measure();
      pass(*simulation, 0.5);
      steps[k] = simulation->step();
      EXPECT_LT(std::fabs(simulation->measure().energy_error), 1e-7) << precision;
    }
    EXPECT_LT(steps[1], 4 * steps[0]) << precision;
    EXPECT_LT(steps[2], 4 * steps[1]) << precision;
  }
}

/// A close binary on circles, and a third body far away from it.
const std::string triple =
    "return { precision = 'double', gravity = {}, integrator = { 'hermite', eta = 0.02, dt = 4 }, "
    "bodies = { { mass = 0.5, position = { 0.005, 0, 0 }, velocity = { 0, 5, 0 } }, { mass = 0.5, "
    "position = { -0.005, 0, 0 }, velocity = { 0, -5, 0 } }, { mass = 0.001, position = { 100, 0, "
    "0 }, velocity = { 0, 0.1, 0 } } } }";

TEST_P(Hermite, BodiesAreEvaluatedAsOftenAsTheirStepsEnd) {
  const auto simulation = open(triple);
  const sim::BlockSteps steps = *simulation->block_steps();
  ASSERT_EQ(steps.in_use(), 2);
  const std::size_t last = steps.bodies.size() - 1;
  ASSERT_GE(last, 10u);
  EXPECT_EQ(steps.bodies[last], 2);
  // The step of the far body, in steps of the binary.
  std::size_t far = 0;
  while (steps.bodies[far] == 0) ++far;
  const std::uint64_t ratio = std::uint64_t{1} << (last - far), before = simulation->interactions();
  simulation->advance(ratio, {});
  EXPECT_NEAR(simulation->time(), steps.of_bin(far), 1e-12 * steps.of_bin(far));
  EXPECT_EQ(simulation->interactions() - before, (2 * ratio + 1) * 3);
  EXPECT_EQ(simulation->block_steps()->bodies, steps.bodies);
}

/// The columns of the integrator (hermite_body::Columns): of each body the derivatives of its
/// position from the zeroth to the fifth, and its bin.
struct KeptByHermite {
  std::vector<std::array<Vec3d, 6>> bodies;
  std::vector<double> bins;
};
KeptByHermite kept_by(sim::Simulation& simulation) {
  const std::string bytes = simulation.hidden_state().integrator;
  std::vector<double> all(bytes.size() / sizeof(double));
  std::memcpy(all.data(), bytes.data(), bytes.size());
  const auto n = static_cast<std::size_t>(simulation.count()), numbers = all.size() - 19 * n;
  const auto column = [&](std::size_t k) { return all.data() + numbers + k * n; };
  KeptByHermite kept;
  for (std::size_t i = 0; i < n; ++i) {
    auto& body = kept.bodies.emplace_back();
    for (std::size_t d = 0; d < 6; ++d)
      body[d] = {column(3 * d)[i], column(3 * d + 1)[i], column(3 * d + 2)[i]};
    kept.bins.push_back(column(18)[i]);
  }
  return kept;
}

// The method written down for a fixed step h: predict all bodies with all derivatives, evaluate,
// correct (Makino & Aarseth 1992, PASJ 44, 141). Sums of 16 terms in another order: some roundings
// of numbers of order 1.
TEST_P(Hermite, WithOneBinItIsTheMethodOfFixedSteps) {
  constexpr double h = 0x1p-4, softening2 = 0.25;
  const auto simulation = open(
      "return { precision = 'double', gravity = { softening = 0.5 }, integrator = { 'hermite', eta "
      "= 1, dt = 1 / 16 }, bodies = plummer { n = 16 } }");
  simulation->advance(1, {});
  KeptByHermite by_hand = kept_by(*simulation);
  for (int step = 0; step < 64; ++step) {
    std::vector<std::array<Vec3d, 2>> predicted;
    for (const auto& [x, v, a, j, s, c] : by_hand.bodies)
      predicted.push_back(
          {x + h * v + (h * h / 2) * a + (h * h * h / 6) * j + (h * h * h * h / 24) * s +
               (h * h * h * h * h / 120) * c,
           v + h * a + (h * h / 2) * j + (h * h * h / 6) * s + (h * h * h * h / 24) * c});
    for (std::size_t i = 0; i < predicted.size(); ++i) {
      Vec3d a1{}, j1{};
      for (std::size_t k = 0; k < predicted.size(); ++k) {
        const Vec3d r = predicted[k][0] - predicted[i][0], u = predicted[k][1] - predicted[i][1];
        const double d2 = dot(r, r) + softening2, weight = 1.0 / 16 / (d2 * std::sqrt(d2));
        a1 += weight * r;
        j1 += weight * (u - (3 * dot(r, u) / d2) * r);
      }
      auto& [x, v, a, j, s, c] = by_hand.bodies[i];
      const Vec3d v1 = v + (h / 2) * (a + a1) + (h * h / 12) * (j - j1);
      x += (h / 2) * (v + v1) + (h * h / 12) * (a - a1), v = v1;
      c = (6 / (h * h)) * (j + j1) - (12 / (h * h * h)) * (a1 - a);
      s = (6 / (h * h)) * (a1 - a) - (2 / h) * (2.0 * j + j1) + h * c;
      a = a1, j = j1;
    }
  }
  simulation->advance(64, {});
  EXPECT_EQ(simulation->time(), 65 * h);
  const KeptByHermite kept = kept_by(*simulation);
  for (std::size_t i = 0; i < kept.bodies.size(); ++i) {
    EXPECT_EQ(kept.bins[i], 0);
    for (const std::size_t d : {0u, 1u, 2u})
      EXPECT_LT(distance(kept.bodies[i][d], by_hand.bodies[i][d]), 1e-14) << d << " of " << i;
  }
}

// Steps follow the distance: the number of them grows with the logarithm of that at the pericentre,
// here 5e-4 of the semi-major axis. Errors there are of the potential, 2,000 times the energy.
TEST_P(Hermite, FollowsAnEccentricBinaryThroughItsPericentre) {
  const auto simulation = open(binary(1 - 1e-3, 0.02, ", dt = 0.125"));
  simulation->measure();
  pass(*simulation, 2 * std::numbers::pi);
  EXPECT_LT(std::fabs(simulation->measure().energy_error), 1e-8);
  EXPECT_LT(simulation->step(), 5000u);
}

TEST_P(Hermite, StepsGetLongerOnlyWhereTheyAreDue) {
  const auto simulation = open(binary(0.9, 0.05, ", dt = 1"));
  double shortest = 1;
  for (int k = 0; k < 3000; ++k) {
    const double begin = simulation->time();
    simulation->advance(1, {});
    const double dt = simulation->time() - begin, next = simulation->dt();
    ASSERT_LE(next, 2 * dt * (1 + 1e-9));
    // The time is a multiple of the next step.
    ASSERT_NEAR(std::remainder(simulation->time(), next), 0, 1e-9 * next) << k;
    shortest = std::min(shortest, dt);
  }
  EXPECT_LT(shortest, 1.0 / 256);  // at the pericentre
}

// The orbit in between, where the body is and how fast it moves: errors are as those at its steps.
TEST_P(Hermite, TellsTheStateAtAnyTime) {
  const auto simulation = open(binary(0, 0.02, ", dt = 0.25"));
  for (const double time : {0.3, 0.777, 1.0, 1.0001, 2.5}) {
    const Orbit found = moved_at(*simulation, time);
    const Vec3d x{0.5 * std::cos(time), 0.5 * std::sin(time), 0},
        v{-0.5 * std::sin(time), 0.5 * std::cos(time), 0};
    EXPECT_LT(distance(found.position, x), 1e-8) << time;
    EXPECT_LT(distance(found.velocity, v), 1e-8) << time;
  }
}

// At rest, the time in which the acceleration changes by itself is infinite.
TEST_P(Hermite, BodiesThatStartAtRestBeginWithTheStepsOfTheirFall) {
  for (const std::string dt : {"", ", dt = 100"}) {
    const auto simulation = open(scene_of(
        "return { precision = 'double', gravity = {}, integrator = { 'hermite'" + dt +
        " }, bodies = { { mass = 1, position = { 0, 0, 0 }, velocity = { 0, 0, 0 } }, { mass = 0, "
        "position = { 1, 0, 0 }, velocity = { 0, 0, 0 } } } }"));
    // x = cos^2 s, t = (s + sin s cos s) / sqrt 2
    const double s = 1, time = (s + std::sin(s) * std::cos(s)) / std::numbers::sqrt2;
    EXPECT_NEAR(moved_at(*simulation, time, 1).position.x, std::pow(std::cos(s), 2), 1e-7) << dt;
  }
}

// A velocity that is round-off is no reason for a long step: the bodies fall.
TEST_P(Hermite, BodiesAlmostAtRestFall) {
  const auto simulation = open(scene_of(
      "return { precision = 'double', gravity = {}, integrator = { 'hermite', dt = 8 }, bodies = { "
      "{ mass = 0.5, position = { 1, 0, 0 }, velocity = { 0, 1e-17, 0 } }, { mass = 0.5, position "
      "= { -1, 0, 0 }, velocity = { 0, 0, 0 } } } }"));
  EXPECT_LT(simulation->dt(), 0.5);
  // d = 2 cos^2 s with G M = 1: t = 2 (s + sin s cos s)
  const double s = 0.3, time = 2 * (s + std::sin(s) * std::cos(s));
  EXPECT_NEAR(moved_at(*simulation, time).position.x, std::pow(std::cos(s), 2), 1e-7);
}

// Where three bodies balance, the acceleration of the middle one is round-off.
TEST_P(Hermite, ABodyInBalanceShortensNoStep) {
  const auto simulation = open(scene_of(
      "return { precision = 'double', gravity = { softening = 0.01 }, integrator = { 'hermite', dt "
      "= 0.125 }, bodies = { { mass = 1, position = { 0.1, 0, 0 }, velocity = { 0, 0, 0 } }, { "
      "mass = 1, position = { 0.2, 0, 0 }, velocity = { 0, 0.1, 0 } }, { mass = 1, position = { "
      "0.3, 0, 0 }, velocity = { 0, 0, 0 } } } }"));
  simulation->measure();
  pass(*simulation, 0.05);
  EXPECT_LT(simulation->step(), 2000u);
  EXPECT_LT(std::fabs(simulation->measure().energy_error), 1e-6);
}

// A hand through whose point the body passes: no acceleration at first, but a jerk.
TEST_P(Hermite, ABodyWithoutAccelerationMayHaveAJerk) {
  for (const std::string dt : {"", ", dt = 0.5"}) {
    const auto simulation = open(scene_of(
        "return { precision = 'double', hand = { body = 0, stiffness = 1e4 }, integrator = { "
        "'hermite', eta = 0.02" +
        dt +
        " }, bodies = { { mass = 1, position = { 0, 0, 0 }, "
        "velocity = { 1, 0, 0 } } } }"));
    EXPECT_NEAR(moved_at(*simulation, 0.1).position.x, std::sin(100 * 0.1) / 100, 1e-7) << dt;
  }
}

// The bodies of a cluster begin with derivatives from a trial that is as short as the steps of the
// binary needs, a thousandth of their own: rounding in these must not move them.
TEST_P(LongHermite, ATightBinaryDoesNotSpoilTheFirstStepsOfOthers) {
  for (const std::string precision : {"double", "mixed"}) {
    const auto simulation = open(scene_of(
        "return { precision = '" + precision +
        "', gravity = {}, integrator = { 'hermite', dt = "
        "0.125 }, bodies = { plummer { n = 200 }, { mass = 0.0025, position = { 0.30005, 0.2, 0.1 "
        "}, velocity = { 0, 3.5355, 0 } }, { mass = 0.0025, position = { 0.29995, 0.2, 0.1 }, "
        "velocity = { 0, -3.5355, 0 } } } }"));
    simulation->measure();
    pass(*simulation, 0.01);
    EXPECT_LT(std::fabs(simulation->measure().energy_error), 1e-6) << precision;
  }
}

// Without a limit the longest step doubles as bodies want it.
TEST_P(Hermite, StepsWithoutALimitGrow) {
  const auto simulation = open(binary(0.99, 0.05));
  pass(*simulation, std::numbers::pi);  // the pericentre
  const double there = simulation->block_steps()->shortest();
  const auto from_there = [&] {
    const double x = 0.005, v = std::sqrt(1.99 / 0.01) / 2;
    return open(scene_of(fmt::format(
        "return {{ precision = 'double', gravity = {{ }}, integrator = {{ 'hermite' }}, bodies = "
        "{{ {{ mass = 0.5, position = {{ {}, 0, 0 }}, velocity = {{ 0, {:.17g}, 0 }} }}, {{ mass = "
        "0.5, position = {{ -{}, 0, 0 }}, velocity = {{ 0, -{:.17g}, 0 }} }} }} }}",
        x, v, x, v)));
  }();
  pass(*from_there, std::numbers::pi);  // the apocentre
  EXPECT_GT(from_there->block_steps()->longest, 64 * there);
  EXPECT_LT(from_there->step(), 3000u);
}

// A limit is the longest step, however long: steps are those that bodies want.
TEST_P(Hermite, AnyLimitOfTheStepWillDo) {
  for (const std::string dt : {"1e-2", "1e12", "1e300"}) {
    const auto simulation = open(binary(0.5, 0.02, ", dt = " + dt));
    EXPECT_LT(error_after(*simulation, 1), 1e-6) << dt;
    EXPECT_LT(simulation->step(), 10'000u) << dt;
  }
}

TEST_P(Hermite, TakesTheStepsOfTheCpu) {
  if (!on_gpu()) GTEST_SKIP() << "compares a GPU with the CPU";
  const sim::SceneDescription scene = cluster(64, 0.05);
  const auto here = open(scene);
  const auto cpu = sim::open_simulation(
      scene, sim::make_plan(scene, {.backend = engine::Backend::cpu, .threads = 1}));
  EXPECT_EQ(here->block_steps()->bodies, cpu->block_steps()->bodies);
  here->advance(100, {}), cpu->advance(100, {});
  EXPECT_EQ(here->time(), cpu->time());
  EXPECT_EQ(here->interactions(), cpu->interactions());
  for (engine::Index i = 0; i < 64; ++i)
    EXPECT_LT(distance(body(*here, i).position, body(*cpu, i).position), 1e-12) << i;
}

TEST_P(Hermite, ContinuesBitForBitFromWithinTheStepsOfItsBodies) {
  for (const std::string precision : {"double", "mixed", "single"}) {
    const sim::SceneDescription scene = cluster(32, 0.1, precision);
    const auto whole = open(scene), watched = open(scene), rewound = open(scene);
    whole->measure();
    whole->advance(200, {});
    watched->measure();
    const TemporaryFolder folder;
    const sim::Plan plan = sim::make_plan(scene, {.backend = GetParam(), .threads = 1});
    for (int k = 0; k < 200; k += 7) {
      watched->advance(static_cast<std::uint64_t>(std::min(7, 200 - k)), {});
      const sim::Clock& clock = watched->clock();
      ASSERT_TRUE(watched->with_state_at(clock.base_time + 0.3 * clock.dt, [&] {
        watched->measure(), watched->hash();
      })) << k;
      if (k == 98)
        sim::write_checkpoint(folder.path() / "a.h5", *watched, scene, plan, {}, nullptr);
    }
    EXPECT_EQ(watched->hash(), whole->hash());
    sim::History history(*rewound, std::uint64_t{1} << 24, {}, 32);
    history.advance(200, 0, {}, {});
    for (const std::uint64_t back : {32u, 101u, 199u}) {
      ASSERT_TRUE(history.seek(back, {}));
      ASSERT_TRUE(history.seek(200, {}));
      EXPECT_EQ(rewound->hash(), whole->hash()) << back;
    }
    const sim::Checkpoint checkpoint = sim::read_checkpoint(folder.path() / "a.h5");
    const auto resumed = sim::open_checkpoint(checkpoint, {.backend = GetParam(), .threads = 1});
    EXPECT_EQ(resumed->step(), 105u);
    resumed->advance(200 - 105, {});
    EXPECT_EQ(resumed->hash(), whole->hash()) << precision;
    EXPECT_EQ(resumed->time(), whole->time());
  }
}

TEST_P(Hermite, ContinuesOnTheOtherBackend) {
  if (!on_gpu()) GTEST_SKIP() << "goes from the CPU to a GPU and back";
  const sim::SceneDescription scene = cluster(32, 0.05);
  const TemporaryFolder folder;
  std::unique_ptr<sim::Simulation> now = sim::open_simulation(
      scene, sim::make_plan(scene, {.backend = engine::Backend::cpu, .threads = 1}));
  const auto whole = sim::open_simulation(
      scene, sim::make_plan(scene, {.backend = engine::Backend::cpu, .threads = 1}));
  now->measure(), whole->measure();
  for (const engine::Backend next : {engine::Backend::cuda, engine::Backend::cpu}) {
    now->advance(37, {});
    const sim::Plan plan = sim::make_plan(scene, {.backend = now->plan().backend, .threads = 1});
    sim::write_checkpoint(folder.path() / "a.h5", *now, scene, plan, {}, nullptr);
    now = sim::open_checkpoint(sim::read_checkpoint(folder.path() / "a.h5"),
                               {.backend = next, .threads = 1});
  }
  now->advance(37, {});
  whole->advance(3 * 37, {});
  EXPECT_EQ(now->time(), whole->time());
  EXPECT_EQ(now->interactions(), whole->interactions());
  for (engine::Index i = 0; i < 32; ++i)
    EXPECT_LT(distance(body(*now, i).position, body(*whole, i).position), 1e-12) << i;
}

TEST_P(Hermite, BeginsAnewAfterAChange) {
  const auto simulation = open(cluster(32, 0.05));
  simulation->measure();
  simulation->advance(50, {});
  const double time = simulation->time();
  sim::LiveSettings live = simulation->live();
  live.dt = 0.03;
  simulation->change(live);
  EXPECT_LE(simulation->dt(), 0.03);
  // States before the change can still be told.
  EXPECT_TRUE(simulation->with_state_at(time - 0.5 * simulation->clock().dt, [] {}));
  simulation->advance(1, {});
  EXPECT_EQ(simulation->block_steps()->longest, 0.03);
  sim::BodyChange change;
  change.added.mass = {1e-3};
  change.added.position = {{0.3, 0.2, 0.1}};
  change.added.velocity = {{0, 0, 0}};
  simulation->change_bodies(change);
  EXPECT_EQ(simulation->block_steps()->longest, 0.03);
  const double energy = simulation->measure().energy;
  simulation->advance(200, {});
  EXPECT_NEAR(simulation->measure().energy, energy, 1e-8 * std::fabs(energy));
}

// Springs of a hand: x = cos(w t). A body that is fixed keeps its velocity.
TEST_P(Hermite, HandsAndFixedBodiesHaveJerks) {
  const auto pulled = open(scene_of(
      "return { precision = 'double', hand = { body = 0, stiffness = 4 }, integrator = { "
      "'hermite', eta = 0.02, dt = 0.25 }, bodies = { { mass = 1, position = { 1, 0, 0 }, velocity "
      "= { 0, 0, 0 } } } }"));
  EXPECT_NEAR(moved_at(*pulled, 1.3).position.x, std::cos(2 * 1.3), 1e-7);
  const auto fixed = open(scene_of(
      "return { precision = 'double', gravity = {}, integrator = { 'hermite', dt = 0.25 }, bodies "
      "= { { mass = 1, position = { 0, 0, 0 }, velocity = { 0.1, 0, 0 }, fixed = true }, { mass = "
      "0, position = { 0, 1, 0 }, velocity = { 1.1, 0, 0 } } } }"));
  EXPECT_NEAR(moved_at(*fixed, 1.7).position.x, 0.17, 1e-15);
  // The other one moves about it on a circle, also while the first is pushed along.
  const Vec3d d = body(*fixed, 1).position - body(*fixed, 0).position;
  EXPECT_NEAR(dot(d, d), 1, 1e-6);
}

TEST_P(Hermite, ABodyThatLeavesTheNumbersEndsTheRun) {
  const auto simulation = open(scene_of(
      "return { precision = 'single', gravity = {}, integrator = { 'hermite', dt = 0.5 }, bodies = "
      "{ { mass = 1, position = { 0, 0, 0 }, velocity = { 0, 0, 0 } }, { mass = 0, position = { 1, "
      "0, 0 }, velocity = { 1e38, 0, 0 } } } }"));
  sim::StepReport report;
  for (int k = 0; k < 100'000 && report.health == sim::Health::good; ++k)
    report = simulation->advance(1, {});
  EXPECT_TRUE(has(report.health, sim::Health::not_finite));
  EXPECT_EQ(report.offender, 1);
}

TEST(Hermites, AreRefusedWithForcesThatHaveNoJerks) {
  const auto refused = [](const std::string& more) -> std::string {
    try {
      scene_of("return { gravity = {}, integrator = { 'hermite' }, " + more +
               " bodies = plummer { n = 8 } }");
    } catch (const engine::InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refused("fields = { drag { linear = 1 } },").find("hermite"), std::string::npos);
  EXPECT_NE(refused("lennard_jones = {},").find("hermite"), std::string::npos);
  EXPECT_EQ(refused(""), "");
  const sim::SceneDescription many = scene_of(
      "return { gravity = {}, integrator = { 'hermite' }, bodies = plummer { n = 200000 } }");
  EXPECT_THROW(sim::make_plan(many, {.backend = engine::Backend::cpu}), engine::InputError);
}

}  // namespace
}  // namespace mote::test
