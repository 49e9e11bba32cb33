// Species of bodies while a simulation runs.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "engine/files.h"
#include "sim/io/snapshot.h"
#include "tests/sim/script/hooked_run.h"

namespace mote::test {
namespace {

using engine::Index;
using SpeciesNumbers = std::vector<int>;

// By name: dark 1, gas 2, star 3.
std::string species_text(const std::string& more = "", bool with = true) {
  const auto of = [&](const char* name) {
    return with ? std::string(", species = '") + name + "'" : std::string();
  };
  return "return { gravity = { softening = 0.0625 }, integrator = { dt = 0.015625 }, seed = 2,\n" +
         std::string(with ? "species = { star = { color = '#FFcc88' }, gas = {}, dark = { color = "
                            "'#ff0000' } },\n"
                          : "") +
         "bodies = { { mass = 0.5, position = { 2, 0, 0 }" + of("gas") + " }, plummer { n = 4" +
         of("star") + " }, { mass = 0, position = { 0, 3, 0 } }, plummer { n = 3" + of("dark") +
         " } },\n" + more + " }";
}

/// Species as packed with their radii; checks that the state has the same.
SpeciesNumbers species_of(sim::Simulation& simulation) {
  std::vector<float> positions(static_cast<std::size_t>(3 * simulation.count())),
      packed(static_cast<std::size_t>(simulation.count()));
  std::vector<float> radii(packed.size());
  sim::SpeciesRadii of_species{};
  for (int k = 0; k < 256; ++k) of_species.of[k] = static_cast<float>(k) - 2;
  simulation.pack({.positions = positions.data(), .scalars = packed.data(), .radii = radii.data()},
                  {.scalar = sim::Scalar::species, .species_radii = of_species});
  for (std::size_t i = 0; i < radii.size(); ++i) EXPECT_EQ(radii[i], packed[i] - 2);
  const std::uint8_t* const column = simulation.state().species();
  if (column) {
    EXPECT_EQ(SpeciesNumbers(column, column + simulation.count()),
              SpeciesNumbers(packed.begin(), packed.end()));
  }
  return {packed.begin(), packed.end()};
}

class SpeciesOfARun : public OnEveryBackend {
 protected:
  std::filesystem::path file() const { return folder_ / "a.h5"; }
  TemporaryFolder folder_;
};
MOTE_ON_EVERY_BACKEND(SpeciesOfARun);

const SpeciesNumbers species_at_start{2, 3, 3, 3, 3, 0, 1, 1, 1};

TEST_P(SpeciesOfARun, StayAndChangeNoBitOfTheMotion) {
  auto with = open(species_text()), without = open(species_text("", false));
  EXPECT_EQ(species_of(*with), species_at_start);
  with->advance(10, {}), without->advance(10, {});
  EXPECT_EQ(species_of(*with), species_at_start);
  EXPECT_EQ(with->hash(), without->hash());
  EXPECT_EQ(without->state().species(), nullptr);
  EXPECT_EQ(species_of(*without), SpeciesNumbers(9, 0));
  EXPECT_EQ(with->saved_state_bytes(), without->saved_state_bytes() + 9) << "a byte a body";
}

TEST_P(SpeciesOfARun, AreThoseThatHooksGiveBodies) {
  HookedRun run(scene_of(species_text(R"(on_step = { every = 1, run = function(sim)
    if sim.step == 2 then
      sim:remove(0)
      sim:add { mass = 0.25, position = { 5, 0, 0 }, species = "dark" }
      sim:add { { mass = 0, position = { 6, 0, 0 } }, plummer { n = 2, species = "gas" } }
    elseif sim.step == 3 then
      sim:remove(6)
      sim:add { mass = 0, position = { 7, 0, 0 } }
    end
  end })")),
                GetParam());
  run.to(2);
  EXPECT_EQ(species_of(run.simulation()), (SpeciesNumbers{3, 3, 3, 3, 0, 1, 1, 1, 1, 0, 2, 2}))
      << run.hooks().verdict().reason;
  run.to(4);
  EXPECT_EQ(species_of(run.simulation()), (SpeciesNumbers{3, 3, 3, 3, 0, 1, 1, 1, 0, 2, 2, 0}));
}

TEST_P(SpeciesOfARun, AreRestoredWithSavedStatesOfOtherBodies) {
  auto simulation = open(species_text());
  const auto before = simulation->save();
  sim::BodyChange change;
  change.removed = {3, 0};
  change.added.mass = {1, 1};
  change.added.position = {{9, 0, 0}, {0, 9, 0}};
  change.added.velocity = {{}, {}};
  change.added.species = {1, 2};
  simulation->change_bodies(change);
  const SpeciesNumbers changed{3, 3, 3, 0, 1, 1, 1, 1, 2};  // the same number, other bodies
  EXPECT_EQ(species_of(*simulation), changed);
  const auto after = simulation->save();
  simulation->restore(*before);
  EXPECT_EQ(species_of(*simulation), species_at_start);
  simulation->restore(*after);
  EXPECT_EQ(species_of(*simulation), changed);
}

TEST_P(SpeciesOfARun, AreCounted) {
  auto simulation = open(species_text());
  const sim::Histogram h = simulation->histogram({sim::Scalar::species, 4, {{-0.5, 3.5}}, {}});
  EXPECT_EQ(h.counts, (std::vector<std::uint64_t>{1, 3, 1, 4}));
}

TEST_P(SpeciesOfARun, AreInCheckpointsAndSnapshots) {
  const std::string hooks = R"(on_step = { every = 1, run = function(sim)
    if sim.step == 2 then
      sim:remove(1)
      sim:add { mass = 0.25, position = { 5, 0, 0 }, species = "gas" }
    elseif sim.step == 6 then
      sim:add { mass = 0, position = { 7, 0, 0 }, species = "dark" }
    end
  end })";
  HookedRun run(scene_of(species_text(hooks)), GetParam());
  run.to(4);
  run.save(file());
  const SpeciesNumbers saved{2, 3, 3, 3, 0, 1, 1, 1, 2};
  const sim::MoteFields own = sim::read_mote_fields(file(), {});
  EXPECT_EQ(SpeciesNumbers(own.species.begin(), own.species.end()), saved);
  HookedRun again(sim::read_checkpoint(file()), GetParam());
  EXPECT_EQ(species_of(again.simulation()), saved);
  for (HookedRun* one : {&run, &again}) {
    one->to(8);
    EXPECT_EQ(species_of(one->simulation()), (SpeciesNumbers{2, 3, 3, 3, 0, 1, 1, 1, 2, 1}));
  }
  EXPECT_EQ(run.simulation().hash(), again.simulation().hash());
}

TEST_P(SpeciesOfARun, ThatWereAlteredAreNoticed) {
  HookedRun run(scene_of(species_text()), GetParam());
  run.save(file());
  std::string bytes = engine::read_file(file());
  const std::string column(species_at_start.begin(), species_at_start.end());
  const std::size_t at = bytes.find(column);
  ASSERT_NE(at, bytes.npos);
  ASSERT_EQ(bytes.find(column, at + 1), bytes.npos);
  bytes[at + 1] = 1;
  folder_.file("a.h5", bytes);
  try {
    sim::read_checkpoint(file());
    FAIL();
  } catch (const engine::InputError& e) {
    EXPECT_NE(std::string(e.what()).find("is damaged or was altered"), std::string::npos)
        << e.what();
  }
}

TEST(SpeciesOfAScene, AreNeededForTheirColour) {
  const std::string text = "return { integrator = { dt = 1 }, view = { color = 'species' },\n" +
                           std::string("bodies = { { mass = 1, position = { 0, 0, 0 } } } }");
  try {
    scene_of(text);
    FAIL();
  } catch (const engine::InputError& e) {
    EXPECT_NE(std::string(e.what()).find("scene.lua:1: view.color: the scene has no species; name "
                                         "them, as in species = { star = { "
                                         "color = \"#ffcc88\" } }, or choose something else"),
              std::string::npos)
        << e.what();
  }
  EXPECT_EQ(scene_of(species_text("view = { color = 'species' }")).view.color, "species");
}

}  // namespace
}  // namespace mote::test
