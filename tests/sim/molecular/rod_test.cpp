// Rods: bodies at fixed distances, on every backend.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "sim/molecular/rods.h"
#include "sim/output/checkpoint.h"
#include "tests/support/backend.h"

namespace mote::test {
namespace {

using engine::Index;
using engine::Precision;
using engine::Vec3d;
using sim::Health;
using sim::Simulation;

class Rods : public OnEveryBackend {};
MOTE_ON_EVERY_BACKEND(Rods);
class LongRods : public LongOnEveryBackend {};
MOTE_ON_EVERY_BACKEND(LongRods);

constexpr double eps = 2.3e-16;

std::string lua(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", number);
  return text;
}
std::string lua(Vec3d v) {
  return "{ " + lua(v.x) + ", " + lua(v.y) + ", " + lua(v.z) + " }";
}
std::string mass_at(double mass, Vec3d x, const std::string& more = "") {
  return "{ mass = " + lua(mass) + ", position = " + lua(x) + more + " }, ";
}

const std::string fixed = ", fixed = true",
                  falling = "fields = { uniform { acceleration = { 0, 0, -1 } } }, ";

std::string rods_of(const std::string& pairs, double length = 1) {
  return "bond_kinds = { rod = { form = \"rigid\", length = " + lua(length) +
         " } }, bonds = { { kind = \"rod\", bodies = { " + pairs + " } } }, ";
}
std::string scene(double dt, const std::string& bodies, const std::string& more) {
  return "return { " + more + "integrator = { dt = " + lua(dt) + " }, bodies = { " + bodies + "} }";
}

double largest_error_of_lengths(Simulation& sim, const std::vector<std::pair<Index, Index>>& rods,
                                double length = 1) {
  double worst = 0;
  for (const auto& [a, b] : rods)
    worst =
        std::max(worst, std::abs(distance(body(sim, a).position, body(sim, b).position) - length));
  return worst;
}

/// Length of rods after a step: rod_tolerance of the square, and round-off of coordinates up to 1.
constexpr double length_tolerance = sim::rod_tolerance / 2 + 4 * eps;

TEST_P(Rods, OfAFreeDumbbellKeepTheirLengthAndTurnAtTheRightRate) {
  // A drift of h u along the tangent, then a shift along the old direction: the angle of a step is
  // asin(w h). The tangential velocity, (r' - r) / h along the new tangent, is again w: the energy
  // is exact. Errors of 1e-12 in the lengths, and as many in the angles, add up over 1000 steps.
  const double w = 0.7, h = 0.1, angle = std::asin(w * h);
  const auto sim =
      open(scene(h,
                 mass_at(1, {2. / 3, 0, 0}, ", velocity = " + lua(Vec3d{0.25, w * 2 / 3, 0})) +
                     mass_at(2, {-1. / 3, 0, 0}, ", velocity = " + lua(Vec3d{0.25, -w / 3, 0})),
                 rods_of("{1, 0}")),
           {.precision = Precision::double_});
  const double energy = sim->measure().energy;
  for (int n = 100; n <= 1000; n += 100) {
    ASSERT_EQ(sim->advance(100, {}).health, Health::good);
    const Vec3d r = body(*sim, 0).position - body(*sim, 1).position,
                u = body(*sim, 0).velocity - body(*sim, 1).velocity;
    EXPECT_NEAR(engine::length(r), 1, 25 * length_tolerance) << n;  // positions up to 25
    EXPECT_NEAR(std::remainder(std::atan2(r.y, r.x) - n * angle, 2 * std::numbers::pi), 0,
                n * 1e-12)
        << n;
    EXPECT_NEAR(dot(r, u), 0, 1e-14) << n;
    EXPECT_NEAR(sim->measure().energy, energy, n * 1e-13) << n;
  }
}

/// Error of the time at which a pendulum of length 1, let go at a right angle, passes below its
/// pivot for the eleventh time.
double error_of_passage(Simulation& sim, double dt) {
  // 4 K(sin 45 degrees), Legendre 1825; 21 quarters of it.
  const double expected = 21 * 1.8540746773013719;
  int passages = 0;
  double before = body(sim, 1).position.x;
  for (int step = 1; step < 100000; ++step) {
    sim.advance(1, {});
    const double now = body(sim, 1).position.x;
    // Nothing pulls along x there, so that the path is straight in time up to third order.
    if (before * now <= 0 && ++passages == 11)
      return dt * (step - 1 + before / (before - now)) - expected;
    before = now;
  }
  return INFINITY;
}

TEST_P(LongRods, OfAPendulumSwingWithThePeriodOfLegendre) {
  double error[2];
  for (int k = 0; k < 2; ++k) {
    const double dt = k == 0 ? 0.02 : 0.01;
    const auto sim = open(scene(dt, mass_at(1, {0, 0, 0}, fixed) + mass_at(1, {1, 0, 0}),
                                falling + rods_of("{0, 1}")),
                          {.precision = Precision::double_});
    error[k] = error_of_passage(*sim, dt);
    EXPECT_EQ(body(*sim, 0).position.x, 0);
    EXPECT_LE(largest_error_of_lengths(*sim, {{0, 1}}), length_tolerance);
  }
  // Leapfrog is off by at most (w dt)^2 / 8 of the time, w^2 = 3 the tension over the mass; and it
  // is of second order.
  EXPECT_LT(std::abs(error[1]), 39 * 3 * 1e-4 / 8);
  EXPECT_NEAR(error[0] / error[1], 4, 0.1);
}

std::string double_pendulum(double dt) {
  return scene(dt, mass_at(1, {0, 0, 0}, fixed) + mass_at(1, {1, 0, 0}) + mass_at(0.5, {2, 0, 0}),
               falling + rods_of("{0, 1}, {1, 2}"));
}

TEST_P(LongRods, OfADoublePendulumDoNoWorkOverManySwings) {
  // Symplectic: the error is bounded by a multiple of dt^2, and does not grow: 1,000 time units are
  // about 200 swings. The energy is 0, kinetic energies are up to 2.
  double worst[2];
  for (int k = 0; k < 2; ++k) {
    const double dt = k == 0 ? 0.01 : 0.005;
    const auto sim = open(double_pendulum(dt), {.precision = Precision::double_});
    double early = 0, late = 0, sum = 0;
    constexpr int rows = 1000;
    for (int n = 0; n < rows; ++n) {
      ASSERT_EQ(sim->advance(k == 0 ? 100 : 200, {}).health, Health::good);
      const double error = std::abs(sim->measure().energy);
      (n < rows / 2 ? early : late) = std::max(n < rows / 2 ? early : late, error);
      if (n >= rows / 2) sum += sim->measure().energy;
      ASSERT_LE(largest_error_of_lengths(*sim, {{0, 1}, {1, 2}}), 2 * length_tolerance);
    }
    worst[k] = std::max(early, late);
    RecordProperty("worst" + std::to_string(k), std::to_string(worst[k]));
    EXPECT_LT(worst[k], 40 * dt * dt) << early << " " << late;
    EXPECT_LT(std::abs(sum) / (rows / 2), dt * dt) << dt;
  }
  EXPECT_GT(worst[0] / worst[1], 2);
}

/// A free body of five masses and eight rods of length 1, with forces among all.
std::string knot(const std::string& more = "") {
  const double h = std::sqrt(0.75), t = std::sqrt(2. / 3);
  const std::string turning[] = {"0.1, 0, 0", "0.1, 0, 0", "0.1, 0, 0", "0.1, 0, 0", "0.1, 0, 0.8"};
  const Vec3d at[] = {{0, 0, 0}, {1, 0, 0}, {0.5, h, 0}, {0.5, h / 3, t}, {2, 0, 0}};
  std::string bodies;
  for (int i = 0; i < 5; ++i)
    bodies += mass_at(1 + 0.3 * i, at[i], ", velocity = { " + turning[i] + " }");
  return scene(0.01, bodies,
               "gravity = { softening = 0.1 }, " + more +
                   rods_of("{0, 1}, {0, 2}, {1, 2}, {3, 0}, {1, 3}, {2, 3}, {1, 4}"));
}
const std::vector<std::pair<Index, Index>> knot_rods{{0, 1}, {0, 2}, {1, 2}, {0, 3},
                                                     {1, 3}, {2, 3}, {1, 4}};

TEST_P(Rods, KeepMomentumAndAngularMomentumToRoundOff) {
  for (const Precision precision : {Precision::single, Precision::double_}) {
    const auto sim = open(knot(), {.precision = precision});
    const sim::Measurement start = sim->measure();
    ASSERT_EQ(sim->advance(500, {}).health, Health::good);
    const sim::Measurement end = sim->measure();
    // In each of 500 steps, five bodies of mass 2 with coordinates of 5 and velocities of 1 are
    // rounded a few times.
    const double round_off = 500 * 100 * (precision == Precision::single ? 1.2e-7 : eps);
    EXPECT_NEAR(engine::length(end.momentum - start.momentum), 0, 0.1 * round_off);
    EXPECT_NEAR(engine::length(end.angular_momentum - start.angular_momentum), 0, round_off);
    // The tetrahedron is rigid; a few units in the last place of coordinates up to 4.
    EXPECT_LE(largest_error_of_lengths(*sim, knot_rods),
              precision == Precision::single ? 4 * 4 * 1.2e-7 : 4 * length_tolerance);
  }
}

TEST_P(Rods, OfAHangingChainOfAHundredRestInItsDiscreteCatenary) {
  // Fixed ends carry a chain of 100 rods. The horizontal pull H is the same in all rods, and each
  // of the 99 bodies between them adds m g to the vertical one: tan(slope) grows by m g / H.
  constexpr int rods = 100;
  const double length = 0.1, ratio = 0.05;
  std::string bodies, pairs;
  Vec3d at{0, 0, 0};
  std::vector<Vec3d> start;
  for (int i = 0; i <= rods; ++i) {
    start.push_back(at);
    bodies += mass_at(1, at, i % rods == 0 ? fixed : "");
    const double slope = std::atan(ratio * (i - 0.5 * (rods - 1)));
    at += length * Vec3d{std::cos(slope), 0, std::sin(slope)};
    if (i < rods) pairs += "{" + std::to_string(i) + ", " + std::to_string(i + 1) + "}, ";
  }
  const auto sim = open(scene(0.01, bodies, falling + rods_of(pairs, length)),
                        {.precision = Precision::double_});
  const int steps = gpu_is_emulated() && GetParam() == engine::Backend::cuda ? 20 : 1000;
  ASSERT_EQ(sim->advance(static_cast<std::uint64_t>(steps), {}).health, Health::good);
  // Lengths may be wrong by 1e-12 of 0.1 each; a shallow chain of slack s sags by s (length / sag)
  // more, ten times as much at most.
  double worst = 0;
  for (int i = 0; i <= rods; ++i)
    worst = std::max(worst, distance(body(*sim, i).position, start[static_cast<std::size_t>(i)]));
  EXPECT_LT(worst, 10 * rods * length * 1e-12);
  EXPECT_NEAR(sim->measure().kinetic, 0, 1e-20);
}

TEST_P(Rods, OfAChainOfAHundredConvergeWhereItWhips) {
  constexpr int rods = 100;
  std::vector<std::pair<Index, Index>> all;
  std::string bodies, pairs;
  for (int i = 0; i <= rods; ++i) {
    bodies += mass_at(1, {0.1 * i, 0, 0}, i == 0 ? fixed : "");
    if (i == rods) break;
    pairs += "{" + std::to_string(i) + ", " + std::to_string(i + 1) + "}, ";
    all.emplace_back(i, i + 1);
  }
  const bool slow = gpu_is_emulated() && GetParam() == engine::Backend::cuda;
  const auto sim =
      open(scene(0.005, bodies, falling + rods_of(pairs, 0.1)), {.precision = Precision::double_});
  const double energy = sim->measure().energy;
  ASSERT_EQ(sim->advance(slow ? 40 : 2000, {}).health, Health::good);
  EXPECT_LE(largest_error_of_lengths(*sim, all, 0.1), 0.1 * sim::rod_tolerance + 20 * eps);
  // The chain has fallen by ten: 100 bodies, 500 of energy.
  EXPECT_NEAR(sim->measure().energy, energy, 500 * 1e-3);
}

TEST_P(Rods, PullWithTheVirialOfACentripetalForce) {
  // Masses 1 and 2, one apart, that turn with w: -mu w^2, and as many degrees of freedom as a rod
  // has axes to turn about, two. A box, so that there is a pressure; its pair force is zero.
  const double w = 0.9, mu = 2. / 3;
  const auto sim = open(
      scene(0.01,
            mass_at(1, {4.9, 1, 0}, ", velocity = " + lua(Vec3d{0.5, w * 2 / 3, 0})) +
                mass_at(2, {-4.1, 1, 0}, ", velocity = " + lua(Vec3d{0.5, -w / 3, 0})),
            "domain = { size = { 10, 10, 10 } }, lennard_jones = { epsilon = 0, cutoff = 1 }, " +
                rods_of("{0, 1}")),
      {.precision = Precision::double_});
  for (int n = 0; n < 3; ++n) {
    const sim::Measurement m = sim->measure();
    EXPECT_NEAR(m.virial, -mu * w * w, 1e-11);
    EXPECT_NEAR(m.temperature, 0.5 * mu * w * w, 1e-11);
    // The virial cancels twice the kinetic energy about the centre of mass.
    EXPECT_NEAR(m.pressure, 0, 1e-13);
    ASSERT_EQ(sim->advance(50, {}).health, Health::good);
  }
}

TEST_P(Rods, HaveTheSameBitsFromRunToRunAndForAnyNumberOfThreads) {
  std::string bodies, pairs;  // 40 pairs, in a field that turns and pulls them
  for (int i = 0; i < 80; ++i)
    bodies += mass_at(1 + 0.1 * (i % 7), {double(i % 2), 1.5 * (i / 2), 0.1});
  for (int i = 0; i < 80; i += 2)
    pairs += "{" + std::to_string(i) + ", " + std::to_string(i + 1) + "}, ";
  std::uint64_t hash = 0;
  for (const int threads : {1, 1, 3}) {
    const auto sim = open(scene(0.01, bodies, "gravity = { softening = 0.1 }, " + rods_of(pairs)),
                          {.threads = threads});
    sim->advance(30, {});
    if (hash == 0) hash = sim->hash();
    EXPECT_EQ(sim->hash(), hash) << threads;
  }
}

TEST_P(Rods, GoOnFromACheckpointWithTheSameBitsAlsoWhenBodiesHaveComeAndGone) {
  const sim::SceneDescription given = scene_of(knot());
  for (const Precision precision : {Precision::single, Precision::double_}) {
    const sim::Plan plan = sim::make_plan(given, {.backend = GetParam(), .precision = precision});
    const auto sim = sim::open_simulation(given, plan);
    sim->advance(20, {});
    sim::BodyChange change{.removed = {3}};
    change.added.mass = {1}, change.added.position = {{0, 9, 0}},
    change.added.velocity = {{0, 0, 1}};
    sim->change_bodies(change);
    sim->advance(20, {});
    // Ids 0, 1, 2, 4 are left of the knot.
    EXPECT_LE(largest_error_of_lengths(*sim, {{0, 1}, {0, 2}, {1, 2}, {1, 3}}), 2e-6);
    const TemporaryFolder folder;
    sim::write_checkpoint(folder.path() / "c.h5", *sim, given, plan, {});
    sim->advance(40, {});
    const auto resumed = sim::open_checkpoint(sim::read_checkpoint(folder.path() / "c.h5"),
                                              sim::RunOptions{.backend = GetParam()});
    resumed->advance(40, {});
    EXPECT_EQ(resumed->hash(), sim->hash());
    EXPECT_EQ(resumed->measure().energy, sim->measure().energy);
  }
}

// Which ends are fixed is part of the state, and known before the lists of rods are made.
TEST_P(Rods, HangFromTheirFixedEndAlsoWhenARunGoesOn) {
  const sim::SceneDescription given = scene_of(
      scene(0.01, mass_at(1, {0, 0, 0}, fixed) + mass_at(1, {1, 0, 0}) + mass_at(1, {2, 0, 0}),
            falling + rods_of("{0, 1}, {1, 2}")));
  const sim::Plan plan =
      sim::make_plan(given, {.backend = GetParam(), .precision = Precision::double_});
  const auto sim = sim::open_simulation(given, plan);
  const TemporaryFolder folder;
  for (int stop = 0; stop < 2; ++stop) {
    sim->advance(20, {});
    sim::write_checkpoint(folder.path() / "c.h5", *sim, given, plan, {});
    sim->advance(20, {});
    const auto resumed = sim::open_checkpoint(sim::read_checkpoint(folder.path() / "c.h5"),
                                              sim::RunOptions{.backend = GetParam()});
    resumed->advance(20, {});
    EXPECT_EQ(distance(body(*resumed, 0).position, {0, 0, 0}), 0);
    EXPECT_EQ(resumed->hash(), sim->hash());
  }
}

TEST_P(Rods, TakeTheFixedEndsOfAStateThatIsResumed) {
  const auto swinging = [&](const std::string& left, const std::string& right) {
    return open(scene(0.01, mass_at(1, {0, 0, 0}, left) + mass_at(1, {1, 0, 0}, right),
                      falling + rods_of("{0, 1}")),
                {.precision = Precision::double_});
  };
  const auto sim = swinging(fixed, ""), other = swinging("", fixed);
  other->advance(10, {});
  sim->resume(other->state(), other->run_clock(), other->live());
  for (auto* one : {sim.get(), other.get()}) one->advance(10, {});
  EXPECT_EQ(sim->hash(), other->hash());
}

TEST_P(Rods, ThatTurnTooFarInAStepEndTheRun) {
  // A drift of 1.5 along the tangent of a rod of length 1: no shift along the rod makes up for it.
  const auto sim = open(
      scene(1.5, mass_at(1, {0, 0, 0}, fixed) + mass_at(1, {1, 0, 0}, ", velocity = { 0, 1, 0 }"),
            rods_of("{0, 1}")),
      {.precision = Precision::double_});
  EXPECT_EQ(sim->advance(5, {}).health, Health::step_too_long);
}

TEST_P(Rods, BetweenGrainsAreNoContact) {
  // Balls of radius 0.6, one apart, would push each other.
  const auto sim =
      open(scene(1e-3, mass_at(1, {0, 0, 0}) + mass_at(1, {1, 0, 0}),
                 "grains = { radius = 0.6, young_modulus = 1e5 }, " + rods_of("{0, 1}")),
           {.precision = Precision::double_});
  EXPECT_EQ(sim->measure().potential, 0);
  sim->advance(10, {});
  EXPECT_EQ(sim->measure().kinetic, 0);
}

TEST(RodLists, OrderChainsRingsAndStarsAndSplitThemAtFixedBodies) {
  const auto lists_of = [](const std::string& pairs, int bodies, int fixed_body) {
    std::string all;
    for (int i = 0; i < bodies; ++i)
      all += mass_at(1, {double(i), 0, 0}, i == fixed_body ? fixed : "");
    const sim::SceneDescription given =
        scene_of(scene(0.01, all, "gravity = {}, " + rods_of(pairs)));
    const auto sim = sim::open_simulation(scene_of(scene(0.01, all, "gravity = {}, ")),
                                          sim::make_plan(given, {.backend = engine::Backend::cpu}));
    return sim::make_rod_lists(*given.physics.find<sim::BondForces>(), sim->state());
  };
  // A chain in any order: neighbours only.
  const sim::RodLists chain = lists_of("{4, 0}, {1, 3}, {0, 3}, {2, 4}", 5, -1);
  ASSERT_EQ(chain.clusters.size(), 1u);
  EXPECT_EQ(chain.clusters[0].band, 1);
  EXPECT_EQ(chain.elements, 4 * 3);
  // A ring, numbered from one body on both sides at once.
  const sim::RodLists ring = lists_of("{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}", 6, -1);
  ASSERT_EQ(ring.clusters.size(), 1u);
  EXPECT_EQ(ring.clusters[0].band, 2);
  // What hangs on a fixed body does not feel each other.
  const sim::RodLists split = lists_of("{0, 1}, {1, 2}, {1, 3}, {3, 4}", 5, 1);
  ASSERT_EQ(split.clusters.size(), 3u);
  for (const sim::RodCluster& cluster : split.clusters) EXPECT_EQ(cluster.band, cluster.count - 1);
}

}  // namespace
}  // namespace mote::test
