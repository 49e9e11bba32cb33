// The persistent kernel for short-range pairs gives the same bits as one kernel per stage.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>

#include "sim/output/checkpoint.h"
#include "sim/run/simulation.h"
#include "tests/support/backend.h"
#include "tests/support/temporary_folder.h"

namespace mote::test {
namespace {

using engine::Index;
using engine::Precision;
using sim::Stepping;

/// Hot enough that lists are valid for a few steps only.
std::string hot_liquid(const std::string& domain, const std::string& integrator,
                       const std::string& pairs) {
  return "return { domain = " + domain + ", lennard_jones = { " + pairs +
         " cutoff = 2, skin = 0.2 }, integrator = { " + integrator +
         " }, seed = 3, bodies = { lattice { structure = \"fcc\", counts = { 3, 3, 3 }, spacing = "
         "1.7, mass "
         "= 108, "
         "dispersion = 2 } } }";
}

std::unique_ptr<sim::Simulation> open_stepped(const std::string& lua, Precision precision,
                                              Stepping stepping) {
  const sim::SceneDescription scene = scene_of(lua);
  return sim::open_simulation(scene, sim::make_plan(scene, {.backend = engine::Backend::cuda,
                                                            .precision = precision,
                                                            .stepping = stepping}));
}

/// Compares states and measurements.
void expect_the_same_bits(sim::Simulation& one, sim::Simulation& other) {
  EXPECT_EQ(one.step(), other.step());
  EXPECT_EQ(one.time(), other.time());
  EXPECT_EQ(one.hash(), other.hash());
  EXPECT_EQ(one.measure().energy, other.measure().energy);
  ASSERT_EQ(one.count(), other.count());
  one.state().visit([&](auto a) {
    other.state().visit([&](auto b) {
      for (Index i = 0; i < a.count; ++i) {
        ASSERT_EQ(double(a.ax[i]), double(b.ax[i])) << i;
        ASSERT_EQ(double(a.vz[i]), double(b.vz[i])) << i;
      }
    });
  });
}

/// Replaces a body by one of half its mass and opposite velocity.
void replace_body(sim::Simulation& simulation, std::uint32_t id,
                  std::vector<std::uint32_t> also_removed) {
  sim::BodyChange change{.removed = std::move(also_removed)};
  const sim::BodyState old = simulation.body(simulation.index_of(id).value());
  change.removed.push_back(id);
  change.added.mass = {0.5 * old.mass};
  change.added.position = {old.position};
  change.added.velocity = {-1.0 * old.velocity};
  simulation.change_bodies(change);
}

const std::string closed_liquid =
    hot_liquid("{ size = { 5.1, 5.1, 5.1 } }", "\"leapfrog\", dt = 0.005", "");

void expect_the_bits_of_stages(const std::string& lua, Precision precision) {
  const auto reference = open_stepped(lua, precision, Stepping::launch),
             whole = open_stepped(lua, precision, Stepping::cooperative),
             sliced = open_stepped(lua, precision, Stepping::cooperative);
  reference->advance(25, {});
  whole->advance(25, {});
  for (const std::uint64_t slice : {1, 2, 15, 7}) sliced->advance(slice, {});
  EXPECT_EQ(whole->hash(), reference->hash()) << name_of(precision);
  EXPECT_EQ(sliced->hash(), reference->hash()) << name_of(precision);
  EXPECT_EQ(whole->step(), 25u);
  // Measurements find the positions and lists of the last step.
  expect_the_same_bits(*whole, *reference);
  EXPECT_EQ(sliced->measure().pressure, reference->measure().pressure);
}

class PersistentPairs : public testing::Test {
 protected:
  void SetUp() override {
    if (!no_gpu().empty()) GTEST_SKIP() << no_gpu();
  }
};

TEST_F(PersistentPairs, GiveTheBitsOfOneKernelAStage) {
  for (const Precision precision : {Precision::single, Precision::mixed, Precision::double_})
    expect_the_bits_of_stages(closed_liquid, precision);
}

// The outermost bodies are 0.08 from the walls.
TEST_F(PersistentPairs, GiveThemBetweenWallsAndInOpenSpace) {
  expect_the_bits_of_stages(hot_liquid("{ size = { 5.1, 4.4, 5.1 }, y = \"wall\", z = \"open\" }",
                                       "\"leapfrog\", dt = 0.005", ""),
                            Precision::single);
}

TEST_F(PersistentPairs, GiveThemForIonsOfTwoKinds) {
  for (const char* coulomb : {"{}", "{ screening_length = 0.6 }"})
    expect_the_bits_of_stages("local ions = " + std::string(coulomb) + R"(
    return { domain = { size = { 4.8, 4.8, 4.8 } }, lennard_jones = { cutoff = 2.1, skin = 0.2 },
             species = { a = { charge = 1 }, b = { charge = -1, sigma = 0.8, epsilon = 0.5 } }, coulomb = ions,
             integrator = { dt = 0.004 }, seed = 3,
             bodies = { lattice { counts = { 4, 4, 4 }, spacing = 1.2, mass = 64, species = "a", dispersion = 2 },
                        translate(lattice { counts = { 4, 4, 4 }, spacing = 1.2, mass = 32, species = "b",
                                       dispersion = 2 }, { 0.6, 0.6, 0.6 }) } })",
                              Precision::single);
}

TEST_F(PersistentPairs, GiveThemWithSeveralForcesAStep) {
  expect_the_bits_of_stages(hot_liquid("{ size = { 5.1, 5.1, 5.1 } }", "\"yoshida4\", dt = 0.01",
                                       "truncation = \"switched\","),
                            Precision::double_);
}

// Bodies that converge: about 50 neighbours each at first, all others in the end; the initial list
// capacity is 96.
TEST_F(PersistentPairs, GiveThemWhenListsMustGrow) {
  const std::string converging = R"(
    local bodies = {}
    for i = 0, 5 do for j = 0, 5 do for k = 0, 5 do
      local x, y, z = 0.4 * i - 1 + 0.01 * j, 0.4 * j - 1 + 0.01 * k, 0.4 * k - 1 + 0.01 * i
      bodies[#bodies + 1] = { mass = 1, position = { x, y, z }, velocity = { -x, -y, -z } }
    end end end
    return { lennard_jones = { sigma = 0.05, epsilon = 0.01, cutoff = 0.8, skin = 0.1 },
             integrator = { dt = 0.02 }, bodies = bodies })";
  for (const Precision precision : {Precision::single, Precision::double_}) {
    const auto reference = open_stepped(converging, precision, Stepping::launch),
               whole = open_stepped(converging, precision, Stepping::cooperative);
    for (int k = 0; k < 5; ++k) {
      for (auto* one : {reference.get(), whole.get()}) one->advance(6, {});
      expect_the_same_bits(*whole, *reference);
    }
  }
}

TEST_F(PersistentPairs, ContinueFromACheckpointBitForBit) {
  const TemporaryFolder folder;
  for (const Precision precision : {Precision::single, Precision::double_}) {
    const sim::SceneDescription scene = scene_of(closed_liquid);
    const sim::RunOptions options{.backend = engine::Backend::cuda,
                                  .precision = precision,
                                  .stepping = Stepping::cooperative};
    const sim::Plan plan = sim::make_plan(scene, options);
    const auto through = sim::open_simulation(scene, plan);
    through->advance(11, {});
    const auto saved = through->save();
    sim::write_checkpoint(folder.path() / "a.h5", *through, scene, plan, {});
    through->advance(14, {});
    const auto reference = open_stepped(closed_liquid, precision, Stepping::launch);
    reference->advance(25, {});
    expect_the_same_bits(*through, *reference);

    const auto again = sim::open_checkpoint(sim::read_checkpoint(folder.path() / "a.h5"), options);
    ASSERT_EQ(again->plan().stepping, Stepping::cooperative);
    again->advance(14, {});
    expect_the_same_bits(*again, *reference);
    // Restoring into a simulation that has stepped on, and into one with other bodies.
    through->restore(*saved);
    through->advance(14, {});
    expect_the_same_bits(*through, *reference);
    replace_body(*through, 9, {});
    through->restore(*saved);
    through->advance(14, {});
    expect_the_same_bits(*through, *reference);
  }
}

TEST_F(PersistentPairs, GiveTheBitsOfStagesWhenBodiesComeAndGo) {
  for (const Precision precision : {Precision::single, Precision::mixed, Precision::double_}) {
    const auto reference = open_stepped(closed_liquid, precision, Stepping::launch),
               whole = open_stepped(closed_liquid, precision, Stepping::cooperative);
    for (auto* one : {reference.get(), whole.get()}) {
      one->advance(9, {});
      replace_body(*one, 50, {3, 70});
      one->advance(8, {});
      replace_body(*one, 0, {});
      one->advance(8, {});
    }
    EXPECT_EQ(whole->count(), 106);
    EXPECT_EQ(whole->plan().stepping, Stepping::cooperative);
    expect_the_same_bits(*whole, *reference);
  }
}

TEST_F(PersistentPairs, GiveTheBitsOfStagesWhenTheStepChanges) {
  for (const Precision precision : {Precision::single, Precision::double_}) {
    const auto reference = open_stepped(closed_liquid, precision, Stepping::launch),
               whole = open_stepped(closed_liquid, precision, Stepping::cooperative);
    for (auto* one : {reference.get(), whole.get()})
      for (const double dt : {0.005, 0.002, 0.004}) {
        one->change({.physics = {}, .dt = dt});
        one->advance(8, {});
      }
    EXPECT_DOUBLE_EQ(whole->time(), 8 * 0.011);
    expect_the_same_bits(*whole, *reference);
  }
}

// The first body, the last one in cell order, moves by 3e37 per step: at the twelfth it is beyond
// 3.4e38, the largest float. The others have advanced further when that is detected, and are
// reported as they were after the twelfth step.
TEST_F(PersistentPairs, StopAfterTheFirstStepThatIsNotFinite) {
  const std::string leaving = R"(
    return {
      lennard_jones = { cutoff = 2.5 }, integrator = { "leapfrog", dt = 0.1 },
      bodies = {
        { mass = 1, position = { 0, 50, 0 }, velocity = { 3e38, 0, 0 } },
        { mass = 1e3, position = { 0, 0, 0 } },
        { mass = 1e3, position = { 1.2, 0, 0 } },
      },
    })";
  // In the middle of a launch, and in its first step.
  for (const std::uint64_t before : {0, 11}) {
    const auto reference = open_stepped(leaving, Precision::single, Stepping::launch),
               other = open_stepped(leaving, Precision::single, Stepping::cooperative);
    for (auto* one : {reference.get(), other.get()})
      EXPECT_EQ(one->advance(before, {}).steps, before);
    const sim::StepReport expected = reference->advance(50, {}), report = other->advance(50, {});
    EXPECT_EQ(expected.steps, 12u - before);
    EXPECT_EQ(report.steps, 12u - before);
    EXPECT_TRUE(has(report.health, sim::Health::not_finite));
    EXPECT_EQ(report.offender, 0);
    reference->state().visit([&](auto a) {
      other->state().visit([&](auto b) {
        EXPECT_NE(double(a.x[2]), 1.2F);
        for (Index i = 1; i < 3; ++i) {
          EXPECT_EQ(double(a.x[i]), double(b.x[i])) << i;
          EXPECT_EQ(double(a.vx[i]), double(b.vx[i])) << i;
          EXPECT_EQ(double(a.ax[i]), double(b.ax[i])) << i;
        }
      });
    });
  }
}

}  // namespace
}  // namespace mote::test
