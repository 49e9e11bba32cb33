// Which solver of gravity a scene has, and that all of mote works with either.
#include "sim/gravity/solver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "engine/check.h"
#include "sim/gravity/module/gravity_physics.h"
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
    return solver_of(g, false, count, backend, Precision::single).multipole.has_value();
  };
  EXPECT_FALSE(multipole({}, 100'000));
  EXPECT_TRUE(multipole({}, 200'000));
  EXPECT_FALSE(multipole({.accuracy = 1e-3}, 10'000));
  EXPECT_TRUE(multipole({.accuracy = 1e-3}, 12'000));
  EXPECT_TRUE(multipole({.solver = "multipole"}, 10));
  EXPECT_FALSE(multipole({.solver = "direct", .accuracy = 1e-3}, 1'000'000));
  EXPECT_FALSE(multipole({.accuracy = 1e-3}, 12'000, Backend::cuda)) << "a GPU sums faster";
  EXPECT_TRUE(multipole({.accuracy = 1e-3}, 100'000, Backend::cuda));
  EXPECT_FALSE(multipole({}, 900'000, Backend::cuda));
  EXPECT_TRUE(multipole({}, 1'000'000, Backend::cuda));
}

TEST(GravitySolver, SaysWhichAndWhy) {
  const auto reason = [](const Gravity& g, Index count) {
    return solver_of(g, false, count, Backend::cpu, Precision::single).reason;
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

// 700,000 bodies on a GPU: direct sums in single precision, expansions in double.
TEST(GravitySolver, IsWhatCostsAreEstimatedFor) {
  const sim::GravityPhysics gravity{Gravity{}};
  const auto found = [&](Precision precision) {
    return gravity.evaluation({700'000, Backend::cuda, precision});
  };
  EXPECT_EQ(found(Precision::single).method, "direct sums");
  EXPECT_EQ(found(Precision::single).interactions, 4.9e11);
  EXPECT_EQ(found(Precision::double_).method, "expansions of order 6");
  EXPECT_LT(found(Precision::double_).interactions, 4.9e9);
}

TEST(GravitySolver, RefusesWhatAPrecisionCannotKeep) {
  const Gravity fine{.solver = "multipole", .accuracy = 1e-6};
  EXPECT_THROW(solver_of(fine, false, 100, Backend::cpu, Precision::single), engine::InputError);
  EXPECT_FALSE(solver_of(fine, false, 100, Backend::cpu, Precision::mixed).multipole->in_single);
  EXPECT_FALSE(solver_of(fine, false, 100, Backend::cpu, Precision::double_).multipole->in_single);
  const Gravity coarse{.solver = "multipole"};
  EXPECT_TRUE(solver_of(coarse, false, 100, Backend::cpu, Precision::mixed).multipole->in_single);
}

/// Runs with expansions, on every backend. Fewer bodies suffice on an emulated device.
class MultipoleRuns : public OnEveryBackend {
 protected:
  static int bodies() { return on_gpu() && gpu_is_emulated() ? 300 : 3'000; }
  static std::string cluster(const std::string& solver = "multipole") {
    // So small that few bodies have expansions, too.
    const std::string leaf = solver == "multipole" ? ", leaf = 64" : "";
    return "return { gravity = { softening = 0.02, solver = '" + solver + "', accuracy = 1e-4" +
           leaf +
           " }, integrator = { dt = 1 / 64 }, precision = 'double', "
           "bodies = plummer { n = " +
           std::to_string(bodies()) + " } }";
  }
  std::unique_ptr<sim::Simulation> open_with(int threads) {
    return open(cluster(), {.threads = threads});
  }
};
MOTE_ON_EVERY_BACKEND(MultipoleRuns);

// Forces are functions of the positions, so a past that is gone back to is the same.
TEST_P(MultipoleRuns, AreSavedAndRestoredBitForBit) {
  const auto whole = open_with(1), parts = open_with(2);
  whole->advance(12, {});
  parts->advance(5, {});
  const auto saved = parts->save();
  parts->advance(20, {});
  parts->restore(*saved);
  parts->advance(7, {});
  EXPECT_EQ(whole->hash(), parts->hash());
}

// A crude solver is found out; one that does what was asked has errors of the asked size.
TEST_P(MultipoleRuns, ErrorsOfASampleAreMeasured) {
  const auto simulation = open(cluster());
  const auto errors = simulation->force_errors();
  ASSERT_TRUE(errors);
  EXPECT_EQ(errors->bodies, std::min(bodies(), 1'024));
  EXPECT_EQ(errors->asked, 1e-4);
  EXPECT_TRUE(errors->kept()) << errors->percentile_99;
  EXPECT_GT(errors->percentile_99, 1e-6);
  EXPECT_LE(errors->median, errors->percentile_90);
  EXPECT_LE(errors->percentile_99, errors->worst);
  sim::MultipoleSolver crude({.order = 3, .fraction = 0.1, .leaf = 8, .accuracy = 1e-4}, 0.02, 1);
  const auto found = crude.errors({2, engine::SimdLevel::scalar}, simulation->state());
  EXPECT_FALSE(found.kept());
  EXPECT_GT(found.percentile_99, 1e-3);
  EXPECT_FALSE(open(cluster("direct"))->force_errors()) << "round-off alone";
}

// For a time unit, a third of a crossing time. Errors of 1e-4 of the forces of 3,000 bodies, mostly
// of random directions, do a work of 1e-4 / 3000^(1/2) = 2e-6 of the potential energy each
// crossing.
TEST_P(MultipoleRuns, ConserveEnergyAsDirectSumsDo) {
  const auto a = open(cluster()), b = open(cluster("direct"));
  const double start = b->measure().energy;
  EXPECT_NEAR(a->measure().energy, start, 1e-6 * std::fabs(start)) << "likewise, at the start";
  const int steps = on_gpu() && gpu_is_emulated() ? 16 : 64;
  a->advance(steps, {});
  b->advance(steps, {});
  EXPECT_NEAR(a->measure().energy, b->measure().energy, 1e-5 * std::fabs(start));
  EXPECT_LT(std::fabs(a->measure().energy_error), 1e-5 + std::fabs(b->measure().energy_error));
}

TEST(GravitySolver, IntegratorsThatNeedSmoothForcesRefuseExpansions) {
  const auto problem = [](const char* gravity) -> std::string {
    try {
      scene_of(std::string("return { gravity = { ") + gravity +
               " }, integrator = { 'ias15' }, bodies = plummer { n = 20 } }");
    } catch (const engine::InputError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_NE(problem("solver = 'multipole'").find("cannot be combined with the integrator ias15"),
            std::string::npos);
  EXPECT_NE(problem("accuracy = 1e-3").find("cannot be combined with the integrator ias15"),
            std::string::npos);
  EXPECT_EQ(problem("solver = 'direct'"), "");
}

TEST_P(MultipoleRuns, SofteningChanges) {
  const auto simulation = open(cluster());
  const double before = simulation->measure().potential;
  sim::LiveSettings live = simulation->live();
  sim::set_live(live, "gravity.softening", 0.5);
  simulation->change(live);
  EXPECT_GT(simulation->measure().potential, before);
  EXPECT_NEAR(simulation->measure().energy_error, 0, 1e-12) << "the change is no error";
}

TEST_P(MultipoleRuns, BodiesComeAndGo) {
  const auto simulation = open(cluster());
  simulation->advance(2, {});
  sim::Bodies more;
  more.mass = {0.1}, more.position = {{5, 0, 0}}, more.velocity = {{0, 0, 0}};
  simulation->change_bodies({.removed = {0, 17}, .added = more});
  simulation->advance(2, {});
  EXPECT_EQ(simulation->count(), bodies() - 1);
  EXPECT_LT(std::fabs(simulation->measure().energy_error), 1e-4);
}

// Bodies that collapse need longer lists and deeper trees than those at the start. With several
// evaluations a step, none of them may be lost when there is no room.
TEST_P(MultipoleRuns, ACollapseIsTheSameInAnySlices) {
  const std::string collapse =
      "return { gravity = { softening = 1e-3, solver = 'multipole' }, integrator = { 'yoshida4', "
      "dt = 1 / 16 },"
      "bodies = cube { n = " +
      std::to_string(bodies()) + " } }";
  const auto whole = open(collapse), parts = open(collapse);
  whole->advance(16, {});
  for (int k = 0; k < 8; ++k) parts->advance(2, {});
  EXPECT_EQ(whole->hash(), parts->hash());
  EXPECT_LT(std::fabs(whole->measure().energy_error), 1e-2);
}

}  // namespace
}  // namespace mote::test
