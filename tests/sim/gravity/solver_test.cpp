// Which solver of gravity a scene has, and that all of mote works with either.
#include "sim/gravity/solver.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "engine/check.h"
#include "tests/support/backend.h"

namespace mote::test {
namespace {

using engine::Backend;
using engine::Index;
using engine::Precision;
using sim::Gravity;
using sim::solver_of;

TEST(GravitySolver, IsAFunctionOfTheSceneAndItsNumberOfBodies) {
  const auto multipole = [](const Gravity& g, Index count, Backend backend = Backend::cpu) {
    return solver_of(g, count, backend, Precision::single).multipole.has_value();
  };
  EXPECT_FALSE(multipole({}, 100'000));
  EXPECT_TRUE(multipole({}, 200'000));
  EXPECT_FALSE(multipole({.accuracy = 1e-3}, 10'000));
  EXPECT_TRUE(multipole({.accuracy = 1e-3}, 12'000));
  EXPECT_TRUE(multipole({.solver = "multipole"}, 10));
  EXPECT_FALSE(multipole({.solver = "direct", .accuracy = 1e-3}, 1'000'000));
  EXPECT_FALSE(multipole({.accuracy = 1e-3}, 1'000'000, Backend::cuda));
}

TEST(GravitySolver, SaysWhichAndWhy) {
  const auto reason = [](const Gravity& g, Index count) {
    return solver_of(g, count, Backend::cpu, Precision::single).reason;
  };
  EXPECT_EQ(reason({}, 1'000), "") << "nothing was asked for";
  EXPECT_EQ(reason({}, 1'000'000),
            "gravity by multipole expansions, from 200,000 bodies on: errors of 99 % of the forces "
            "below 0.001 (order 6, leaves of 64)");
  EXPECT_EQ(reason({.accuracy = 1e-3}, 1'000),
            "gravity by direct sums: faster for fewer than 12,000 bodies");
  EXPECT_EQ(reason({.solver = "multipole", .accuracy = 1e-4, .order = 5, .leaf = 10}, 1'000),
            "gravity by multipole expansions: errors of 99 % of the forces below 0.0001 (order 5, "
            "leaves of 10)");
}

TEST(GravitySolver, RefusesWhatAPrecisionCannotKeep) {
  const Gravity fine{.solver = "multipole", .accuracy = 1e-6};
  EXPECT_THROW(solver_of(fine, 100, Backend::cpu, Precision::single), engine::InputError);
  EXPECT_FALSE(solver_of(fine, 100, Backend::cpu, Precision::mixed).multipole->in_single);
  EXPECT_FALSE(solver_of(fine, 100, Backend::cpu, Precision::double_).multipole->in_single);
  const Gravity coarse{.solver = "multipole"};
  EXPECT_TRUE(solver_of(coarse, 100, Backend::cpu, Precision::mixed).multipole->in_single);
}

const std::string cluster =
    "return { gravity = { softening = 0.02, solver = 'multipole', accuracy = 1e-4 },"
    "integrator = { dt = 1 / 64 }, precision = 'double', bodies = plummer { n = 3000 } }";

std::unique_ptr<sim::Simulation> open(const std::string& lua, int threads = 2) {
  const sim::SceneDescription scene = scene_of(lua);
  sim::RunOptions options;
  options.backend = Backend::cpu;
  options.threads = threads;
  return sim::open_simulation(scene, sim::make_plan(scene, options));
}

// Forces are functions of the positions, so a past that is gone back to is the same.
TEST(GravitySolver, MultipoleRunsAreSavedAndRestoredBitForBit) {
  const auto whole = open(cluster, 1), parts = open(cluster);
  whole->advance(12, {});
  parts->advance(5, {});
  const auto saved = parts->save();
  parts->advance(20, {});
  parts->restore(*saved);
  parts->advance(7, {});
  EXPECT_EQ(whole->hash(), parts->hash());
}

// Over 16 of the 64 steps of a crossing time; forces that are off by 1e-4 at random, or a leapfrog
// with this step, change the energy by less than that.
TEST(GravitySolver, MultipoleConservesEnergyAsDirectSumsDo) {
  std::string exact = cluster;
  exact.replace(exact.find("multipole"), 9, "direct");
  const auto a = open(cluster), b = open(exact);
  const double start = b->measure().energy;
  EXPECT_NEAR(a->measure().energy, start, 1e-6 * std::fabs(start));
  a->advance(64, {});
  b->advance(64, {});
  EXPECT_NEAR(a->measure().energy, b->measure().energy, 1e-5 * std::fabs(start));
  EXPECT_LT(std::fabs(a->measure().energy_error), 1e-4);
}

TEST(GravitySolver, SofteningChangesWhileMultipoleRuns) {
  const auto simulation = open(cluster);
  const double before = simulation->measure().potential;
  sim::LiveSettings live = simulation->live();
  sim::set_live(live, "gravity.softening", 0.5);
  simulation->change(live);
  EXPECT_GT(simulation->measure().potential, before);
  EXPECT_NEAR(simulation->measure().energy_error, 0, 1e-12) << "the change is no error";
}

TEST(GravitySolver, MultipoleFollowsBodiesThatComeAndGo) {
  const auto simulation = open(cluster);
  simulation->advance(2, {});
  sim::Bodies more;
  more.mass = {0.1}, more.position = {{5, 0, 0}}, more.velocity = {{0, 0, 0}};
  simulation->change_bodies({.removed = {0, 17}, .added = more});
  simulation->advance(2, {});
  EXPECT_EQ(simulation->count(), 2'999);
  EXPECT_LT(std::fabs(simulation->measure().energy_error), 1e-4);
}

}  // namespace
}  // namespace mote::test
