// Small systems stepped in one kernel, one block per system.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/exec/lockstep.h"
#include "sim/run/simulation.h"
#include "tests/support/backend.h"

namespace mote::test {
namespace {

using engine::Precision;

/// One system of a batch.
struct BatchCase {
  std::string scene;
  Precision precision;
  std::uint64_t steps;
};

std::string cluster_of(int n, const std::string& gravity, const std::string& integrator) {
  return "return { gravity = { " + gravity + " }, integrator = { " + integrator +
         " }, seed = 3, bodies = { plummer { n = " + std::to_string(n) + " } } }";
}

/// One warp of bodies and several, both block sizes, with and without softening, few steps and
/// many, several forces per step, and massless bodies, which are not sources.
std::vector<BatchCase> batch_cases() {
  std::vector<BatchCase> cases;
  const std::string soft = "softening = 0.01", none = "softening = 0";
  for (const Precision precision : {Precision::single, Precision::mixed, Precision::double_}) {
    cases.push_back({cluster_of(2, none, "'leapfrog', dt = 0.001"), precision, 40});
    cases.push_back({cluster_of(33, soft, "'yoshida4', dt = 0.01"), precision, 9});
    cases.push_back({cluster_of(40, none, "'leapfrog', dt = 0.0001"), precision, 12});
    cases.push_back(
        {cluster_of(gpu_is_emulated() ? 75 : 256, soft, "'leapfrog', dt = 0.01"), precision, 5});
    // The eight multiprocessors of the emulated device can step 256 bodies in double.
    const int many = !gpu_is_emulated() ? 1024 : precision == Precision::double_ ? 250 : 290;
    cases.push_back({cluster_of(many, soft, "'leapfrog', dt = 0.01"), precision, 2});
    cases.push_back(
        {R"(return { gravity = { softening = 0.01 }, integrator = { 'leapfrog', dt = 0.01 }, seed = 5,
      bodies = { ring { n = 37, mass = 0, radius = 2 }, { mass = 1, position = { 0, 0, 0 } }, plummer { n = 30, position = { 5, 0, 0 } } } })",
         precision, 7});
  }
  return cases;
}

std::unique_ptr<sim::Simulation> opened(const BatchCase& one, engine::Lockstep* lockstep) {
  const sim::SceneDescription scene = scene_of(one.scene);
  return sim::open_simulation(scene, sim::make_plan(scene, {.backend = engine::Backend::cuda,
                                                            .precision = one.precision,
                                                            .lockstep = lockstep}));
}

struct Ended {
  std::uint64_t hash = 0, interactions = 0;
  std::vector<double> energies;
};

/// Steps in two slices, measuring at every third step of the second.
Ended after_steps(sim::Simulation& simulation, std::uint64_t steps) {
  Ended ended;
  const auto add = [&](const sim::Measurement& m) { ended.energies.push_back(m.energy); };
  add(simulation.measure());
  simulation.advance(1, {});
  simulation.advance_measured(steps - 1, 3, {}, add);
  ended.hash = simulation.hash();
  ended.interactions = simulation.interactions();
  return ended;
}

TEST(Batches, GiveEachSystemTheBitsThatItGetsAlone) {
  if (!no_gpu().empty()) GTEST_SKIP() << no_gpu();
  const std::vector<BatchCase> cases = batch_cases();
  std::vector<Ended> together(cases.size());
  engine::Lockstep lockstep;
  std::vector<std::function<void()>> jobs;
  for (std::size_t k = 0; k < cases.size(); ++k)
    jobs.push_back([&, k] {
      const auto simulation = opened(cases[k], &lockstep);
      EXPECT_EQ(simulation->plan().lockstep, &lockstep);
      together[k] = after_steps(*simulation, cases[k].steps);
    });
  lockstep.run(jobs);
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const auto simulation = opened(cases[k], nullptr);
    const Ended alone = after_steps(*simulation, cases[k].steps);
    EXPECT_EQ(together[k].hash, alone.hash) << cases[k].scene << name_of(cases[k].precision);
    EXPECT_EQ(together[k].interactions, alone.interactions);
    EXPECT_EQ(together[k].energies, alone.energies);
  }
}

// The third body moves by 6e37 per step: at the sixth it is beyond 3.4e38, the largest float.
TEST(Batches, StopTheSystemThatBreaksAndNoOther) {
  if (!no_gpu().empty()) GTEST_SKIP() << no_gpu();
  const BatchCase breaks{
      R"(return { gravity = { softening = 0.1 }, integrator = { 'leapfrog', dt = 1 },
    bodies = { { mass = 1, position = { 0, 0, 0 } }, { mass = 1, position = { 3, 0, 0 } }, { mass = 0, position = { 0, 9, 0 }, velocity = { 0, 6e37, 0 } } } })",
      Precision::single, 20};
  const BatchCase good{cluster_of(20, "softening = 0.01", "'leapfrog', dt = 0.01"),
                       Precision::single, 20};
  engine::Lockstep lockstep;
  sim::StepReport broken, whole;
  std::uint64_t broken_hash = 0, whole_hash = 0;
  lockstep.run({[&] {
                  const auto s = opened(breaks, &lockstep);
                  broken = s->advance(20, {});
                  broken_hash = s->hash();
                },
                [&] {
                  const auto s = opened(good, &lockstep);
                  whole = s->advance(20, {});
                  whole_hash = s->hash();
                }});
  const auto alone = opened(breaks, nullptr), other = opened(good, nullptr);
  const sim::StepReport expected = alone->advance(20, {});
  other->advance(20, {});
  EXPECT_EQ(broken.steps, expected.steps);
  EXPECT_EQ(broken.offender, 2);
  EXPECT_TRUE(has(broken.health, sim::Health::not_finite));
  EXPECT_EQ(broken_hash, alone->hash());
  EXPECT_EQ(whole.steps, 20u);
  EXPECT_EQ(whole.health, sim::Health::good);
  EXPECT_EQ(whole_hash, other->hash());
}

TEST(Batches, LeaveLargeSystemsAndOtherForcesToThemselves) {
  if (!no_gpu().empty()) GTEST_SKIP() << no_gpu();
  engine::Lockstep lockstep;
  const BatchCase large{cluster_of(1025, "softening = 0.01", "'leapfrog', dt = 0.01"),
                        Precision::single, 1};
  EXPECT_EQ(opened(large, &lockstep)->plan().lockstep, nullptr);
  const BatchCase field{
      "return { fields = { uniform { acceleration = { 0, 0, -1 } } }, integrator = { 'leapfrog', "
      "dt = 0.01 "
      "}, "
      "bodies = { { mass = 1, position = { 0, 0, 0 } } } }",
      Precision::single, 1};
  EXPECT_EQ(opened(field, &lockstep)->plan().lockstep, nullptr);
}

}  // namespace
}  // namespace mote::test
