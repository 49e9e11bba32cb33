// Pair forces in scenes with several kinds of matter: which bodies they act on.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/support/backend.h"

namespace mote::test {
namespace {

using engine::Index;
using engine::Precision;
using engine::Vec3d;
using sim::Simulation;

class MixedPairs : public OnEveryBackend {};
MOTE_ON_EVERY_BACKEND(MixedPairs);

Vec3d acceleration(Simulation& sim, Index i) {
  return sim.state().visit([&](const auto& s) {
    return Vec3d{double(s.ax[i]), double(s.ay[i]), double(s.az[i])};
  });
}

/// Two colliding halves, of molecules and of grains, in the same box. Without random numbers, which
/// would depend on the preceding bodies.
const std::string box = "domain = { size = { 8, 8, 8 } }, integrator = { dt = 0.002 }, ",
                  molecules = "lennard_jones = {}, ",
                  grains = "grains = { radius = 0.3, young_modulus = 2e4 }, ";
std::string halves(const std::string& counts, double spacing, double speed, const std::string& of) {
  const auto half = [&](const char* sign) {
    return "lattice { counts = { " + counts + " }, spacing = " + std::to_string(spacing) +
           ", mass = 100, position = { 0.1, 0.2, " + sign + "2 }, velocity = { 0.3, 0, " +
           (*sign == '-' ? "" : "-") + std::to_string(speed) + " }" + of + " }";
  };
  return half("-") + ", " + half("");
}
const std::string of_gas = "6, 6, 2", of_sand = "5, 4, 3";

TEST_P(MixedPairs, MoleculesAmongGrainsMoveAsTheyDoAlone) {
  const auto gas =
      open("return { " + box + molecules + "bodies = { " + halves(of_gas, 1.3, 1, "") + " } }");
  const auto sand =
      open("return { " + box + grains + "bodies = { " + halves(of_sand, 0.63, 8, "") + " } }");
  const auto both =
      open("return { " + box + molecules + grains +
           "species = { gas = { matter = 'lennard_jones' }, sand = { matter = 'grains' } }, "
           "bodies = { " +
           halves(of_sand, 0.63, 8, ", species = 'sand'") + ", " +
           halves(of_gas, 1.3, 1, ", species = 'gas'") + " } }");
  for (Simulation* sim : {gas.get(), sand.get(), both.get()}) sim->advance(300, {});
  ASSERT_EQ(both->count(), 264);
  for (Index i = 0; i < 264; ++i) {
    const Orbit here = body(*both, i), there = i < 120 ? body(*sand, i) : body(*gas, i - 120);
    EXPECT_EQ(here.position.x, there.position.x) << i;
    EXPECT_EQ(here.velocity.z, there.velocity.z) << i;
  }
  // Both have collided.
  EXPECT_LT(std::abs(body(*sand, 59).velocity.z), 7.9);
  EXPECT_NE(body(*gas, 71).velocity.z, body(*gas, 0).velocity.z);
}

TEST_P(MixedPairs, GrainsWithPairParametersFeelThemToo) {
  // Two grains that do not touch, and a third whose species sets no pair parameters.
  const auto sim = open(
      "return { lennard_jones = { truncation = 'plain' }, coulomb = { constant = 3, cutoff = 50 }, "
      "grains "
      "= { radius = 0.1 }, "
      "integrator = { dt = 1e-4 }, species = { sticky = { matter = 'grains', epsilon = 2, sigma = "
      "0.3, "
      "charge = 0.5 }, sand = { matter = 'grains' } }, bodies = { { mass = 2, position = { 0, 0, 0 "
      "}, "
      "species = 'sticky' }, { mass = 2, position = { 0.4, 0, 0 }, species = 'sticky' }, { mass = "
      "2, "
      "position = { 0, 0.4, 0 }, species = 'sand' } } }",
      {.precision = Precision::double_});
  const double r = 0.4, s6 = std::pow(0.3 / r, 6), lennard_jones = 24 * 2 * (2 * s6 * s6 - s6) / r,
               coulomb = 3 * 0.25 * (1 / (r * r) - r / (50.0 * 50 * 50)),
               force = lennard_jones + coulomb;
  EXPECT_NEAR(acceleration(*sim, 1).x, force / 2, 1e-13 * (std::abs(lennard_jones) + coulomb));
  EXPECT_EQ(acceleration(*sim, 0).x, -acceleration(*sim, 1).x);
  EXPECT_EQ(acceleration(*sim, 0).y, 0);
  EXPECT_EQ(acceleration(*sim, 2).y, 0);
}

std::string sticky_heap() {
  return "return { domain = { size = { 2, 2, 2 } }, lennard_jones = { epsilon = 0.02, sigma = "
         "0.18, cutoff = "
         "0.5 "
         "}, grains = { radius = 0.1, young_modulus = 1e4, density = 200 }, integrator = { dt = "
         "5e-4 }, "
         "species "
         "= { "
         "sticky = { matter = 'grains', epsilon = 0.02 }, sand = { matter = 'grains' }, gas = { "
         "matter = "
         "'lennard_jones' } }, bodies = { lattice { counts = { 4, 4, 4 }, spacing = 0.21, mass = "
         "1, "
         "dispersion = 0.2, species = "
         "'sticky' }, lattice { counts = { 3, 3, 3 }, spacing = 0.21, mass = 1, position = { 0.8, "
         "0, 0 }, "
         "velocity = { -0.5, 0.3, 1 }, species = 'sand' }, lattice { counts = { 4, 4, 2 }, spacing "
         "= 0.4, "
         "mass = "
         "0.2, position = { 0, 0, 0.8 }, dispersion = 1, species = 'gas' } } }";
}

TEST_P(MixedPairs, ConserveMomentumToRounding) {
  const auto sim = open(sticky_heap(), {.precision = Precision::double_});
  const Vec3d before = sim->measure().momentum;
  const double sand = body(*sim, 64).velocity.x;
  std::size_t contacts = 0;
  for (int k = 0; k < 8; ++k) {
    sim->advance(50, {});
    contacts += sim->contacts().grain.size();
  }
  EXPECT_GT(contacts, 0u);
  EXPECT_NE(body(*sim, 64).velocity.x, sand);
  const Vec3d after = sim->measure().momentum;
  // 400 steps of 123 kicks of up to 0.05 on momenta of up to 1, each rounded by 1e-16: a random
  // walk, 1e-16 sqrt(5e4).
  EXPECT_NEAR(after.x, before.x, 1e-13);
  EXPECT_NEAR(after.y, before.y, 1e-13);
  EXPECT_NEAR(after.z, before.z, 1e-13);
}

TEST_P(MixedPairs, MakeTheSameBitsFromASavedStateAndInAnySlices) {
  for (const Precision precision : {Precision::single, Precision::double_}) {
    const auto sim = open(sticky_heap(), {.precision = precision});
    sim->advance(137, {});
    const auto saved = sim->save();
    sim->advance(161, {});
    const std::uint64_t hash = sim->hash();
    sim->restore(*saved);
    EXPECT_NE(sim->hash(), hash);
    for (int slice = 0; slice < 7; ++slice) sim->advance(23, {});
    EXPECT_EQ(sim->hash(), hash);
  }
}

TEST_P(MixedPairs, ResumeWithTheSameBitsWhereAGrainCrossesABoundary) {
  // The first of two cohesive grains crosses the boundary after step 100, when the other slows it.
  const auto run = [&](int stop) {
    const auto sim = open(
        "return { domain = { size = { 2, 2, 2 } }, lennard_jones = { sigma = 0.18, cutoff = 0.5, "
        "skin = 0.1 "
        "}, "
        "grains = { radius = 0.05, young_modulus = 1e4, density = 200 }, integrator = { dt = 5e-4 "
        "}, species "
        "= { "
        "sticky = { matter = 'grains', epsilon = 0.02 } }, bodies = { { position = { 0.95, 0, 0 }, "
        "velocity "
        "= { 1, "
        "0.1, 0 }, species = 'sticky' }, { position = { 0.74, 0.02, 0 }, velocity = { 1, 0, 0 }, "
        "species = "
        "'sticky' } "
        "} }",
        {.precision = Precision::double_});
    sim->advance(static_cast<std::uint64_t>(stop), {});
    sim->restore(*sim->save());
    sim->advance(static_cast<std::uint64_t>(150 - stop), {});
    EXPECT_LT(body(*sim, 0).position.x, 0);
    return sim->hash();
  };
  const std::uint64_t hash = run(0);
  for (int stop = 99; stop < 116; ++stop) EXPECT_EQ(run(stop), hash) << stop;
}

TEST_P(MixedPairs, MoleculesMayBeWhereGrainsAndSoftBodiesAre) {
  // They do not interact: a molecule may start inside a grain, and feels no force.
  const auto sim = open(
      "return { lennard_jones = { epsilon = 1e-3, sigma = 0.05 }, soft = { thickness = 0.02 }, "
      "grains = { "
      "radius = "
      "0.1, density = 100, young_modulus = 1e4 }, integrator = { dt = 2e-4 }, species = { cloth = "
      "{ matter = "
      "'soft' "
      "}, sand = { matter = 'grains' }, gas = { matter = 'lennard_jones' } }, bodies = { cloth { "
      "counts = { "
      "5, 5 }, "
      "size = { 0.2, 0.2 }, mass = 0.1, species = 'cloth' }, { position = { 0, 0, 0.12 }, velocity "
      "= { 0, 0, "
      "-1 }, "
      "species = 'sand' }, { mass = 1, position = { 0, 0, 0.1 }, velocity = { 0, 0, 1 }, species = "
      "'gas' } } "
      "}");
  sim->advance(200, {});
  EXPECT_GT(body(*sim, 25).velocity.z, -1);
  EXPECT_EQ(body(*sim, 26).velocity.z, 1);
}

TEST(MixedPairsOnBoth, AgreeAfterAHundredSteps) {
  if (!no_gpu().empty()) GTEST_SKIP() << no_gpu();
  const sim::SceneDescription scene = scene_of(sticky_heap());
  const auto open = [&](engine::Backend backend) {
    return sim::open_simulation(
        scene, sim::make_plan(scene, {.backend = backend, .precision = Precision::double_}));
  };
  const auto cpu = open(engine::Backend::cpu), gpu = open(engine::Backend::cuda);
  cpu->advance(100, {}), gpu->advance(100, {});
  double largest = 0;
  for (Index i = 0; i < cpu->count(); ++i)
    largest = std::max(largest, distance(body(*cpu, i).position, body(*gpu, i).position));
  // Positions of up to 1 are rounded by 1e-16 a hundred times; contacts of 300 / s^2 at most double
  // that in 0.05.
  EXPECT_LT(largest, 4e-14);
}

TEST_P(MixedPairs, StopMoleculesAtAClothThatFeelsThem) {
  const auto scene = [](const char* parameters) {
    return "return { lennard_jones = { epsilon = 1e-3, sigma = 0.05, cutoff = 0.125 }, soft = { "
           "iterations = "
           "2 }, "
           "integrator = { dt = 2e-4 }, species = { cloth = { matter = 'soft'" +
           std::string(parameters) +
           " }, gas = { matter = 'lennard_jones' } }, bodies = { cloth { counts = { 13, 13 }, size "
           "= { 0.6, "
           "0.6 }, "
           "mass = 1.69, species = 'cloth' }, lattice { counts = { 3, 3, 2 }, spacing = 0.07, mass "
           "= 0.018, "
           "position = { 0, 0, 0.2 }, velocity = { 0.1, 0, -2 }, species = 'gas' } } }";
  };
  const auto through = open(scene(""), {.precision = Precision::double_}),
             stopped = open(scene(", epsilon = 1e-3"), {.precision = Precision::double_});
  const Vec3d before = stopped->measure().momentum;
  through->advance(1000, {}), stopped->advance(1000, {});
  for (Index i = 169; i < 187; ++i) {
    EXPECT_LT(body(*through, i).position.z, -0.1) << i;
    EXPECT_GT(body(*stopped, i).position.z, -0.05) << i;
  }
  EXPECT_EQ(body(*through, 84).velocity.z, 0);
  EXPECT_LT(body(*stopped, 84).velocity.z, 0);
  // 1000 steps of 187 kicks and constraints on momenta of up to 4e-3, each rounded by 1e-18.
  const Vec3d after = stopped->measure().momentum;
  EXPECT_NEAR(after.x, before.x, 1e-14);
  EXPECT_NEAR(after.z, before.z, 1e-14);
}

TEST_P(MixedPairs, OfGrainsActInWater) {
  // All three at once: charged grains in a box of water.
  const auto sim = open(
      "return { domain = { size = { 1, 1, 1 } }, fluid = { spacing = 0.1, largest_speed = 1, "
      "viscosity = "
      "1e-3, density = 1000 }, "
      "lennard_jones = { epsilon = 0, sigma = 0.05 }, coulomb = { constant = 0.1, cutoff = 0.4 }, "
      "grains = "
      "{ "
      "radius = "
      "0.02, density = 2500, young_modulus = 1e5 }, integrator = { dt = 5e-5 }, species = { ball = "
      "{ matter "
      "= "
      "'grains', "
      "charge = 1 }, water = { matter = 'fluid' } }, bodies = { lattice { counts = { 10, 10, 10 }, "
      "spacing = "
      "0.1, "
      "mass = 1000, species = 'water' }, { position = { 0.01, 0, 0 }, species = 'ball' }, { "
      "position = { "
      "0.16, 0, 0 "
      "}, species = 'ball' } } }",
      {.precision = Precision::double_});
  const Vec3d before = sim->measure().momentum;
  EXPECT_EQ(sim->advance(100, {}).health, sim::Health::good);
  EXPECT_LT(body(*sim, 1000).velocity.x, 0);
  EXPECT_GT(body(*sim, 1001).velocity.x, 0);
  // 100 steps of a thousand kicks on momenta of at most 1e-2, each rounded by 1e-18: a random walk,
  // 3e-16.
  const Vec3d after = sim->measure().momentum;
  EXPECT_NEAR(after.x, before.x, 1e-15);
  EXPECT_NEAR(after.y, before.y, 1e-15);
  EXPECT_NEAR(after.z, before.z, 1e-15);
}

}  // namespace
}  // namespace mote::test
