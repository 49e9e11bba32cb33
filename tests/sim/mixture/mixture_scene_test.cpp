// Sand in water, as scenes: repeats, threads, restarts, and what is refused.
#include <gtest/gtest.h>

#include <string>

#include "sim/run/checkpoint.h"
#include "tests/support/backend.h"

namespace mote::test {
namespace {

using engine::Backend;
using engine::Precision;

/// Grains that sink in a pool, periodic to the sides, over a floor.
std::string sand_pool(const std::string& dt = "0.002", const std::string& more = "") {
  return R"(return {
    domain = { size = { 7, 7, 0 }, z = "open" },
    fields = { uniform { acceleration = { 0, 0, -1 } } },
    species = { water = { matter = "fluid" }, sand = { matter = "grains" }, floor = { wall = true } },
    fluid = { spacing = 1, largest_speed = 3, viscosity = 0.02, artificial_viscosity = 0.03 },
    grains = { radius = 0.4, spread = 0.1, density = 2.5, young_modulus = 5000, friction = 0.4 },
    obstacles = { plane { normal = { 0, 0, 1 } } },
    integrator = { dt = )" +
         dt + R"( },
    bodies = {
      translate(lattice { counts = { 7, 7, 6 }, spacing = 1, mass = 294, species = "water" }, { 0, 0, 3 }),
      translate(lattice { counts = { 7, 7, 3 }, spacing = 1, mass = 147, species = "floor" }, { 0, 0, -1.5 }),
      translate(lattice { counts = { 4, 4, 3 }, spacing = 0.95, mass = 1, species = "sand" }, { 0.1, 0.2, 3 }),
    }, )" +
         more + " }";
}

/// The same with sand of one size and so close together that grains touch from the start.
std::string packed_pool() {
  std::string lua = sand_pool();
  lua.replace(lua.find("spread = 0.1"), 12, "spread = 0");
  return lua.replace(lua.find("spacing = 0.95"), 14, "spacing = 0.79");
}

std::unique_ptr<sim::Simulation> open_pool(const std::string& lua, Precision precision, int threads = 1) {
  const sim::SceneDescription scene = scene_of(lua);
  return sim::open_simulation(
      scene, sim::make_plan(scene, {.backend = Backend::cpu, .precision = precision, .threads = threads}));
}

TEST(SandPool, HasTheSameBitsAgainAndForAnyNumberOfThreads) {
  for (const Precision precision : {Precision::single, Precision::full}) {
    const auto one = open_pool(sand_pool(), precision), again = open_pool(sand_pool(), precision),
               two = open_pool(sand_pool(), precision, 2);
    one->advance(40, {}), again->advance(40, {}), two->advance(40, {});
    EXPECT_EQ(one->hash(), again->hash());
    EXPECT_EQ(one->hash(), two->hash());
  }
}

TEST(SandPool, GoesOnFromACheckpointWithTheSameBits) {
  const TemporaryFolder folder;
  const sim::SceneDescription scene = scene_of(packed_pool());
  const sim::Plan plan = sim::make_plan(scene, {.backend = Backend::cpu, .precision = Precision::single});
  const auto sim = sim::open_simulation(scene, plan);
  sim->advance(60, {});
  EXPECT_GT(sim->force_memory().size(), 1000u);  // springs
  sim::write_checkpoint(folder.path() / "middle.h5", *sim, scene, plan, {});
  sim->advance(30, {});
  const auto resumed = sim::open_checkpoint(sim::read_checkpoint(folder.path() / "middle.h5"),
                                            sim::RunOptions{.backend = Backend::cpu, .threads = 2});
  resumed->advance(30, {});
  EXPECT_EQ(resumed->hash(), sim->hash());
}

TEST(SandPool, GoesOnFromACheckpointWhereBodiesHaveGone) {
  const TemporaryFolder folder;
  const sim::SceneDescription scene = scene_of(packed_pool());
  const sim::Plan plan = sim::make_plan(scene, {.backend = Backend::cpu, .precision = Precision::single});
  const auto sim = sim::open_simulation(scene, plan);
  sim->advance(30, {});
  // Water, floor and sand: what each column is has moved by one, two and three.
  sim->change_bodies({.removed = {5, 300, 442}});
  sim->advance(30, {});
  EXPECT_GT(sim->force_memory().size(), 1000u);
  sim::write_checkpoint(folder.path() / "gaps.h5", *sim, scene, plan, {});
  sim->advance(30, {});
  const auto resumed =
      sim::open_checkpoint(sim::read_checkpoint(folder.path() / "gaps.h5"), {.backend = Backend::cpu});
  EXPECT_EQ(resumed->count(), sim->count());
  resumed->advance(30, {});
  EXPECT_EQ(resumed->hash(), sim->hash());
}

TEST(SandPool, KnowsWhoTouchesWhomWhenBodiesHaveGone) {
  // Two grains that touch, behind water that goes: who is a grain goes by columns.
  const auto sim = open_pool(R"(return {
      species = { water = { matter = "fluid" }, sand = { matter = "grains" } },
      fluid = { spacing = 1, largest_speed = 3 }, grains = { radius = 0.4, density = 2.5, young_modulus = 5000 },
      integrator = { dt = 0.002 },
      bodies = { { position = { 9, 0, 0 }, mass = 1, species = "water" },
                 { position = { 9, 1, 0 }, mass = 1, species = "water" },
                 { position = { 0, 0, 0 }, species = "sand" }, { position = { 0.79, 0, 0 }, species = "sand" } } })",
                             Precision::full);
  EXPECT_EQ(sim->contacts().size(), 1u);
  sim->change_bodies({.removed = {0}});
  const sim::ContactNetwork network = sim->contacts();
  ASSERT_EQ(network.size(), 1u);
  EXPECT_EQ(network.grain[0], 2u);
  EXPECT_EQ(network.partner[0], 3u);
}

TEST(SandPool, HoldsAsMuchWaterAsTheGrainsLeave) {
  const auto sim = open_pool(sand_pool(), Precision::full);
  double water = 0, grains = 0;
  sim->state().visit([&](const auto& s) {
    for (engine::Index i = 0; i < s.count; ++i) {
      if (s.species[i] == 3) water += double(s.mass[i]);
      if (s.species[i] == 2) grains += double(s.mass[i]) / 2.5;
      if (s.species[i] == 1) EXPECT_EQ(s.mass[i], 1);
    }
  });
  EXPECT_GT(grains, 10);
  EXPECT_NEAR(water, 7 * 7 * 6 - grains, 0.02 * grains);
}

TEST(SandPool, TheWaterStandsHigherByWhatSinksInIt) {
  // Of 49 wide, 48 grains of 0.27 raise the level by 0.26: the water's centre, and with what lies at the bottom a little more.
  const auto mean_height = [](const std::string& lua, bool settle) {
    const auto sim = open_pool(lua, Precision::single, 2);
    if (settle) EXPECT_EQ(sim->advance(2500, {}).health, sim::Health::good);
    double sum = 0, all = 0;
    sim->state().visit([&](const auto& s) {
      for (engine::Index i = 0; i < s.count; ++i)
        if (s.species[i] == 3) sum += double(s.mass[i]) * double(s.z[i]), all += double(s.mass[i]);
    });
    return sum / all;
  };
  std::string above = sand_pool();
  above.replace(above.find("{ 0.1, 0.2, 3 }"), 15, "{ 0.1, 0.2, 8 }");
  const double before = mean_height(above, false), after = mean_height(above, true);
  const double volume = 48 * 4 * 3.14159265 / 3 * 0.064 * 1.01;
  // The heap is up to 2 of 6 high, fills its share f(z) below, and the water above it rises by all of it.
  EXPECT_GT(after - before, 0.5 * volume / 49);
  EXPECT_LT(after - before, 1.1 * volume / 49);
}

TEST(SandPool, StepsThatDragDoesNotAllowAreRefused) {
  std::string honey = sand_pool("0.002");
  honey.replace(honey.find("viscosity = 0.02"), 16, "viscosity = 40.0");
  const auto why = [](const std::string& lua) -> std::string {
    try {
      open_pool(lua, Precision::full);
    } catch (const engine::InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(why(sand_pool()), "");
  EXPECT_NE(why(honey).find("is not stable"), std::string::npos);
}

TEST(SandPool, IsForTheCpuSoFar) {
  const sim::SceneDescription scene = scene_of(sand_pool());
  EXPECT_EQ(sim::make_plan(scene, {}).backend, Backend::cpu);
  if (no_gpu().empty()) EXPECT_THROW(sim::make_plan(scene, {.backend = Backend::cuda}), engine::InputError);
}

}  // namespace
}  // namespace mote::test
