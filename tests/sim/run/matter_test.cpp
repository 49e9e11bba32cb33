// Several kinds of matter in one scene: which bodies are what, and what is refused.
#include <gtest/gtest.h>

#include <string>

#include "sim/space/ball_fields.h"
#include "tests/support/backend.h"

namespace mote::test {
namespace {

using sim::Simulation;

std::string matter_scene(const std::string& species, const std::string& bodies,
                         const std::string& sections =
                             "fluid = { spacing = 0.1, largest_speed = 1 }, grains = { radius = "
                             "0.02, density = 2500 }") {
  return "return { " + sections + ", integrator = { dt = 1e-4 }, species = { " + species +
         " }, bodies = { " + bodies + " } }";
}
const std::string
    sand_and_water =
        "sand = { matter = 'grains' }, water = { matter = 'fluid' }, tank = { wall = true }",
    one_of_each =
        "{ position = { 0, 0, 0 }, species = 'sand', radius = 0.03 }, { mass = 0.001, position "
        "= { 1, 0, 0 }, "
        "species = 'water' }, { mass = 0.001, position = { 2, 0, 0 }, species = 'tank' }";

std::unique_ptr<Simulation> matter_run(const std::string& lua) {
  const sim::SceneDescription scene = scene_of(lua);
  return sim::open_simulation(scene, sim::make_plan(scene, {.backend = engine::Backend::cpu}));
}

std::string refusal_of_matter(const std::string& lua) {
  try {
    matter_run(lua);
  } catch (const engine::InputError& error) {
    return error.what();
  }
  return "";
}

double mass_in_matter(Simulation& sim, engine::Index i) {
  return sim.state().visit([&](const auto& s) { return double(s.mass[i]); });
}

TEST(Matter, SpeciesOfAMixedSceneSayWhatTheyAre) {
  EXPECT_EQ(refusal_of_matter(matter_scene(sand_and_water, one_of_each)), "");
  const auto refused = [](const std::string& lua, const std::string& why) {
    EXPECT_NE(refusal_of_matter(lua).find(why), std::string::npos) << refusal_of_matter(lua);
  };
  refused(
      matter_scene("sand = {}, water = { matter = 'fluid' }, tank = { wall = true }", one_of_each),
      "species.sand: has no matter, but the scene has grains and fluid");
  refused(matter_scene(
              "sand = { matter = 'grains' }, water = { matter = 'soft' }, tank = { wall = true }",
              one_of_each),
          "is soft, which the scene does not have");
  refused(matter_scene("sand = { matter = 'grains', wall = true }",
                       "{ position = { 0, 0, 0 }, species = 'sand' }"),
          "walls belong to the fluid");
  refused(matter_scene(sand_and_water, "{ position = { 0, 0, 0 } }"),
          "body 0 has no species, but the scene has grains and fluid");
  refused(matter_scene("", one_of_each), "needs species that set `matter`");
}

TEST(Matter, ASingleKindNeedsNoMatterKey) {
  const std::string one = "{ mass = 1, position = { 0, 0, 0 } }",
                    fluid = "fluid = { spacing = 0.1, largest_speed = 1 }";
  EXPECT_EQ(refusal_of_matter(matter_scene("", one, fluid)), "");
  EXPECT_EQ(refusal_of_matter(matter_scene("water = { matter = 'fluid' }", one, fluid)), "");
  EXPECT_NE(refusal_of_matter(matter_scene("water = { matter = 'grains' }", one, fluid))
                .find("does not have"),
            std::string::npos);
}

TEST(Matter, PairForcesActOnMoleculesAndOnSpeciesWithParameters) {
  const std::string one = "{ mass = 1, position = { 0, 0, 0 }, species = 'a' }",
                    grains = "lennard_jones = { cutoff = 2.5 }, grains = { radius = 0.02 }",
                    water = "lennard_jones = {}, fluid = { spacing = 0.1, largest_speed = 1 }";
  const auto said = [&](const std::string& species, const std::string& sections) {
    return refusal_of_matter(matter_scene(species, one, sections));
  };
  const auto refused = [&](const std::string& species, const std::string& sections,
                           const std::string& why) {
    EXPECT_NE(said(species, sections).find(why), std::string::npos) << said(species, sections);
  };
  EXPECT_EQ(said("a = { matter = 'lennard_jones' }", "lennard_jones = { cutoff = 2.5 }"), "");
  EXPECT_EQ(said("a = { matter = 'lennard_jones' }", grains), "");
  EXPECT_EQ(said("a = { matter = 'grains', epsilon = 1 }", grains), "");
  refused("a = { matter = 'grains' }", grains, "has no effect: no species uses it");
  refused("a = {}", grains, "has no matter, but the scene has grains and lennard_jones");
  refused("a = { matter = 'lennard_jones' }, b = { matter = 'grains' }",
          grains + ", pairs = { { species = { 'a', 'b' }, epsilon = 1 } }",
          "does not act on b, which is another kind of matter");
  refused("a = { matter = 'lennard_jones' }, b = { matter = 'soft' }",
          "lennard_jones = {}, soft = {}, domain = { size = { 9, 9, 9 }, boundary = 'wall' }",
          "is not affected by walls of a domain");
  refused("a = { matter = 'lennard_jones' }", water, "cannot be combined with molecules");
  refused("a = { matter = 'fluid', epsilon = 1 }", water,
          "is fluid, which lennard_jones and coulomb do not act on");
}

TEST(Matter, SizesAndMassesOfGrainsAreThoseOfGrainsAlone) {
  const auto sim = matter_run(matter_scene(sand_and_water, one_of_each));
  const auto body_of = [&](engine::Index i) {
    return sim->state().visit([&](const auto& s) {
      return std::pair(double(s.mass[i]), double(s[sim::fields::radius][i]));
    });
  };
  EXPECT_NEAR(body_of(0).first, 2500 * 4 * 3.14159265 / 3 * 0.03 * 0.03 * 0.03, 1e-7);
  EXPECT_DOUBLE_EQ(body_of(1).first, 0.001);
  EXPECT_DOUBLE_EQ(body_of(1).second, 0.05);  // for pictures: half the spacing
  EXPECT_DOUBLE_EQ(body_of(2).second, 0.05);
}

TEST(Matter, BodiesThatComeLaterAreWhatTheirSpeciesSays) {
  const auto sim = matter_run(matter_scene(sand_and_water, one_of_each));
  sim::BodyChange grain;
  grain.added.mass = {1}, grain.added.position = {{5, 5, 5}}, grain.added.velocity = {{0, 0, 0}};
  sim::BodyChange nothing = grain;
  grain.added.species = {1}, grain.added.radius = {0.02};
  sim->change_bodies(grain);
  EXPECT_EQ(sim->count(), 4);
  EXPECT_NEAR(mass_in_matter(*sim, 3), 2500 * 4 * 3.14159265 / 3 * 8e-6, 1e-7);
  EXPECT_EQ(sim->advance(3, {}).health, sim::Health::good);
  EXPECT_THROW(sim->change_bodies(nothing), engine::InputError);
  EXPECT_EQ(sim->count(), 4);
}

TEST(Matter, GrainsThatStartInTheWaterAreNotTakenForGrainsInEachOther) {
  // The particles of the water overlap the grain and each other.
  EXPECT_EQ(
      refusal_of_matter(matter_scene(
          sand_and_water,
          "{ position = { 0, 0, 0 }, species = 'sand' }, { mass = 0.001, position = { 0.01, 0, 0 "
          "}, "
          "species = 'water' }, { mass = 0.001, position = { 0.05, 0, 0 }, species = 'water' }")),
      "");
}

TEST(Matter, WithGrainsAFluidHasThreeDimensions) {
  EXPECT_NE(refusal_of_matter(matter_scene(sand_and_water, one_of_each,
                                           "fluid = { spacing = 0.1, largest_speed = 1, dimensions "
                                           "= 2 }, grains = { radius = 0.02 }"))
                .find("cannot be combined with a two-dimensional fluid"),
            std::string::npos);
}

}  // namespace
}  // namespace mote::test
