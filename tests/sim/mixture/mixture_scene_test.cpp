// Scenes of sand in water: reproducibility, restarts, backends, and errors.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/text.h"
#include "sim/output/checkpoint.h"
#include "tests/sim/script/hooked_run.h"
#include "tests/support/backend.h"
#include "tests/support/sanitized.h"

namespace mote::test {
namespace {

using engine::Backend;
using engine::Precision;

/// Grains that sink in a pool, laterally periodic, over a floor.
std::string sand_pool(const std::string& dt = "0.002", const std::string& more = "") {
  return R"(return {
    domain = { size = { 7, 7, 0 }, z = "open" },
    fields = { uniform { acceleration = { 0, 0, -1 } } },
    species = { water = { matter = "fluid" }, sand = { matter = "grains" } },
    fluid = { spacing = 1, largest_speed = 3, viscosity = 0.02, artificial_viscosity = 0.03 },
    grains = { radius = 0.4, spread = 0.1, density = 2.5, young_modulus = 5000, friction = 0.4 },
    obstacles = { plane { normal = { 0, 0, 1 } } },
    integrator = { dt = )" +
         dt + R"( },
    bodies = {
      translate(lattice { counts = { 7, 7, 6 }, spacing = 1, mass = 294, species = "water" }, { 0, 0, 3 }),
      translate(lattice { counts = { 4, 4, 3 }, spacing = 0.95, mass = 1, species = "sand" }, { 0.1, 0.2, 3 }),
    }, )" +
         more + " }";
}

/// The same with sand of one size, which touches from the start.
std::string packed_pool() {
  std::string lua = sand_pool();
  lua.replace(lua.find("spread = 0.1"), 12, "spread = 0");
  return lua.replace(lua.find("spacing = 0.95"), 14, "spacing = 0.79");
}

std::unique_ptr<sim::Simulation> open_pool(Backend backend, const std::string& lua,
                                           Precision precision, int threads = 1) {
  const sim::SceneDescription scene = scene_of(lua);
  return sim::open_simulation(
      scene,
      sim::make_plan(scene, {.backend = backend, .precision = precision, .threads = threads}));
}

/// Steps of reproducibility tests; few on an emulated GPU, which is slow.
std::uint64_t pool_steps(Backend backend) {
  return backend == Backend::cuda && gpu_is_emulated() ? 12 : 40;
}

class SandPool : public OnEveryBackend {};
class LongSandPool : public LongOnEveryBackend {};

TEST_P(SandPool, HasTheSameBitsInAnySlicesAndForAnyNumberOfThreads) {
  const std::uint64_t steps = pool_steps(GetParam());
  for (const Precision precision : {Precision::single, Precision::double_}) {
    const auto one = open_pool(GetParam(), sand_pool(), precision),
               again = open_pool(GetParam(), sand_pool(), precision),
               two = open_pool(GetParam(), sand_pool(), precision, 2);
    one->advance(steps, {}), again->advance(steps, {});
    for (std::uint64_t k = 0; k < steps; k += 4) {
      two->advance(4, {});
      two->measure();  // has no side effects
    }
    EXPECT_EQ(one->hash(), again->hash());
    EXPECT_EQ(one->hash(), two->hash());
  }
}

TEST_P(SandPool, ResumesFromACheckpointWithTheSameBits) {
  const TemporaryFolder folder;
  const std::uint64_t steps = pool_steps(GetParam());
  const sim::SceneDescription scene = scene_of(packed_pool());
  const sim::Plan plan =
      sim::make_plan(scene, {.backend = GetParam(), .precision = Precision::single});
  const auto sim = sim::open_simulation(scene, plan);
  sim->advance(steps, {});
  EXPECT_GT(sim->force_state().size(), 500u);  // springs
  sim::write_checkpoint(folder.path() / "middle.h5", *sim, scene, plan, {});
  sim->advance(steps, {});
  const auto resumed = sim::open_checkpoint(sim::read_checkpoint(folder.path() / "middle.h5"),
                                            sim::RunOptions{.backend = GetParam(), .threads = 2});
  resumed->advance(steps, {});
  EXPECT_EQ(resumed->hash(), sim->hash());
}

TEST_P(SandPool, ResumesFromACheckpointAfterRemovals) {
  const TemporaryFolder folder;
  const std::uint64_t steps = pool_steps(GetParam());
  const sim::SceneDescription scene = scene_of(packed_pool());
  const sim::Plan plan =
      sim::make_plan(scene, {.backend = GetParam(), .precision = Precision::single});
  const auto sim = sim::open_simulation(scene, plan);
  sim->advance(steps, {});
  // Water and sand: the indices of the following bodies shift by one and two.
  sim->change_bodies({.removed = {5, 300}});
  sim->advance(steps, {});
  EXPECT_GT(sim->force_state().size(), 500u);  // springs
  sim::write_checkpoint(folder.path() / "gaps.h5", *sim, scene, plan, {});
  sim->advance(steps, {});
  const auto resumed = sim::open_checkpoint(sim::read_checkpoint(folder.path() / "gaps.h5"),
                                            {.backend = GetParam()});
  EXPECT_EQ(resumed->count(), sim->count());
  resumed->advance(steps, {});
  EXPECT_EQ(resumed->hash(), sim->hash());
}

TEST_P(SandPool, FindsContactsAfterRemovals) {
  // Two touching grains after removed water in index order: grains are flagged by index.
  const auto sim = open_pool(GetParam(), R"(return {
      species = { water = { matter = "fluid" }, sand = { matter = "grains" } },
      fluid = { spacing = 1, largest_speed = 3 }, grains = { radius = 0.4, density = 2.5, young_modulus = 5000 },
      integrator = { dt = 0.002 },
      bodies = { { position = { 9, 0, 0 }, mass = 1, species = "water" },
                 { position = { 9, 1, 0 }, mass = 1, species = "water" },
                 { position = { 0, 0, 0 }, species = "sand" }, { position = { 0.79, 0, 0 }, species = "sand" } } })",
                             Precision::double_);
  EXPECT_EQ(sim->contacts().size(), 1u);
  sim->change_bodies({.removed = {0}});
  const sim::ContactNetwork network = sim->contacts();
  ASSERT_EQ(network.size(), 1u);
  EXPECT_EQ(network.grain[0], 2u);
  EXPECT_EQ(network.partner[0], 3u);
}

TEST_P(SandPool, HoldsTheWaterThatGrainsLeaveSpaceFor) {
  const auto sim = open_pool(GetParam(), sand_pool(), Precision::double_);
  double water = 0, grains = 0;
  sim->state().visit([&](const auto& s) {
    for (engine::Index i = 0; i < s.count; ++i) {
      if (s.species[i] == 2) water += double(s.mass[i]);
      if (s.species[i] == 1) grains += double(s.mass[i]) / 2.5;
    }
  });
  EXPECT_GT(grains, 10);
  EXPECT_NEAR(water, 7 * 7 * 6 - grains, 0.02 * grains);
}

TEST_P(LongSandPool, SunkenGrainsRaiseTheWater) {
  MOTE_SKIP_IF_SANITIZED("long; SandPool.* take such steps");
  // On an area of 49, 48 grains of volume 0.27 raise the level by 0.26, and so the centre of the
  // water; grains that rest at the bottom raise it a little more.
  const auto mean_height = [](const std::string& lua, bool settle) {
    const auto sim = open_pool(GetParam(), lua, Precision::single, 2);
    if (settle) {
      EXPECT_EQ(sim->advance(2500, {}).health, sim::Health::good);
    }
    double sum = 0, all = 0;
    sim->state().visit([&](const auto& s) {
      for (engine::Index i = 0; i < s.count; ++i)
        if (s.species[i] == 2) sum += double(s.mass[i]) * double(s.z[i]), all += double(s.mass[i]);
    });
    return sum / all;
  };
  std::string above = sand_pool();
  above.replace(above.find("{ 0.1, 0.2, 3 }"), 15, "{ 0.1, 0.2, 8 }");
  const double before = mean_height(above, false), after = mean_height(above, true);
  const double volume = 48 * 4 * 3.14159265 / 3 * 0.064 * 1.01;
  // The heap is up to 2 high, of 6, and fills a fraction f(z) below; the water above it rises by
  // the full volume.
  EXPECT_GT(after - before, 0.5 * volume / 49);
  EXPECT_LT(after - before, 1.1 * volume / 49);
}

TEST_P(SandPool, StepsUnstableForDragAreErrors) {
  std::string honey = sand_pool("0.002");
  honey.replace(honey.find("viscosity = 0.02"), 16, "viscosity = 40.0");
  const auto why = [](const std::string& lua) -> std::string {
    try {
      open_pool(GetParam(), lua, Precision::double_);
    } catch (const engine::InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(why(sand_pool()), "");
  EXPECT_NE(why(honey).find("is not stable"), std::string::npos);
}

/// A stream falls into the pool, one grain is removed, and two are added, one of them in the
/// stream: the emitted water around it has porosities from the first step on, also after a restart.
const std::string busy_pool = sand_pool("0.002", R"(
    emitters = { { position = { 0, 0, 9 }, direction = { 0, 0, -1 }, radius = 1.2, speed = 3, species = "water", start = 0.018, most = 10000 } },
    on_step = { every = 3, run = function(sim)
      if sim.step == 3 then sim:remove(298) end
      if sim.step == 6 then
        sim:add { species = "sand", position = { -2, -2, 8 }, velocity = { 0, 0, -3 } }
        sim:add { species = "sand", position = { 0.3, 0.2, 8.2 }, velocity = { 0, 0, -3 } }
      end
    end })");

TEST_P(SandPool, AddsAndRemovesBodies) {
  const TemporaryFolder folder;
  HookedRun uninterrupted(scene_of(busy_pool), GetParam());
  uninterrupted.to(14);
  ASSERT_EQ(uninterrupted.hooks().verdict().reason, "");
  EXPECT_EQ(uninterrupted.simulation().run_clock().removed, 1u);
  EXPECT_GT(uninterrupted.simulation().run_clock().added, 1u);
  HookedRun first(scene_of(busy_pool), GetParam());
  first.to(7, 2).save(folder / "c.h5");
  EXPECT_LT(first.simulation().count(), uninterrupted.simulation().count());
  HookedRun second(sim::read_checkpoint(folder / "c.h5"), GetParam());
  EXPECT_EQ(second.to(14, 3).simulation().hash(), uninterrupted.simulation().hash());
}

/// A light grain hits a drop of water, where drag makes the step unstable.
const char* const fast_grain = R"(return {
    species = { water = { matter = "fluid" }, sand = { matter = "grains" } },
    fluid = { spacing = 1, largest_speed = 3, viscosity = 0.02 },
    grains = { radius = 0.1, density = 0.02, young_modulus = 0.1 },
    integrator = { dt = 0.002 },
    bodies = { lattice { counts = { 5, 5, 5 }, spacing = 1, mass = 125, species = "water" },
               { species = "sand", position = { 0.2, 0.1, 20 }, velocity = { 0, 0, -1000 } } } })";

MOTE_ON_EVERY_BACKEND(SandPool);
MOTE_ON_EVERY_BACKEND(LongSandPool);

class SandPoolOnBoth : public testing::Test {
 protected:
  void SetUp() override {
    if (!no_gpu().empty()) GTEST_SKIP() << no_gpu();
  }
};

double largest_distance(sim::Simulation& one, sim::Simulation& other) {
  double largest = 0;
  for (engine::Index i = 0; i < one.count(); ++i)
    largest = std::max(largest, distance(body(one, i).position, body(other, i).position));
  return largest;
}

TEST_F(SandPoolOnBoth, GoesTheSameWay) {
  MOTE_SKIP_IF_SANITIZED("long; other SandPoolOnBoth.* take such steps");
  // Positions up to 4 are rounded by 2.4e-7 (4.4e-16) a hundred times. Sums of forces are off by
  // 2e-5 (1e-12) of the largest acceleration, about that of gravity, for a time of 0.2.
  for (const Precision precision : {Precision::single, Precision::mixed, Precision::double_}) {
    const auto cpu = open_pool(Backend::cpu, sand_pool(), precision),
               gpu = open_pool(Backend::cuda, sand_pool(), precision);
    const double energy = cpu->measure().energy;
    EXPECT_NEAR(gpu->measure().energy, energy,
                (precision == Precision::single ? 1e-6 : 1e-13) * energy);
    cpu->advance(100, {}), gpu->advance(100, {});
    EXPECT_LT(largest_distance(*cpu, *gpu), precision == Precision::single ? 3e-5 : 1e-12)
        << name_of(precision);
    EXPECT_NEAR(gpu->measure().energy, cpu->measure().energy,
                (precision == Precision::single ? 1e-5 : 1e-12) * energy);
  }
}

/// Water and grains that stream across the boundaries of a periodic cube.
const char* const stream_with_grains = R"(
    local bodies, n, length = {}, 7, 7.3
    local v = { 2, 1.5, 1.2 }
    for k = 0, n ^ 3 - 1 do
      local i, j, l = k % n, k // n % n, k // n // n
      bodies[#bodies + 1] = { species = "water", mass = 1, velocity = v,
        position = { (i + 0.97) * length / n - length / 2, (j + 0.97) * length / n - length / 2, (l + 0.97) * length / n - length / 2 } }
    end
    for k = 0, 26 do
      bodies[#bodies + 1] = { species = "sand", velocity = { 2.5, 1.5, 1.2 },
        position = { (k % 3 - 1) * 2.37 + 0.2, (k // 3 % 3 - 1) * 2.37 - 0.1, (k // 9 - 1) * 2.37 } }
    end
    return { domain = { size = { length, length, length } }, bodies = bodies,
      species = { water = { matter = "fluid" }, sand = { matter = "grains" } },
      fluid = { spacing = 1, smoothing = 1, largest_speed = 3, viscosity = 0.02 },
      grains = { radius = 0.2, density = 2.5, young_modulus = 5000 }, integrator = { dt = 0.002 } })";

TEST_F(SandPoolOnBoth, StreamsAcrossBoundariesAsOnTheCpu) {
  // In 18 steps the flow moves by a tenth of a spacing, the lifetime of a neighbour list.
  const sim::SceneDescription scene = scene_of(stream_with_grains);
  const auto open = [&](Backend backend) {
    return sim::open_simulation(
        scene, sim::make_plan(scene, {.backend = backend, .precision = Precision::double_}));
  };
  const auto cpu = open(Backend::cpu), gpu = open(Backend::cuda);
  for (int k = 0; k < 3; ++k) {
    cpu->advance(15, {}), gpu->advance(15, {});
    // Positions up to 4 are rounded by 4.4e-16 a step, 45 times; forces, with up to a hundred
    // roundings each, move them by less.
    EXPECT_LT(largest_distance(*cpu, *gpu), 1e-13) << k;
  }
}

TEST_F(SandPoolOnBoth, MovesFromOneToTheOther) {
  const TemporaryFolder folder;
  const sim::SceneDescription scene = scene_of(sand_pool());
  for (const Backend first : {Backend::cpu, Backend::cuda}) {
    const Backend second = first == Backend::cpu ? Backend::cuda : Backend::cpu;
    const sim::Plan plan =
        sim::make_plan(scene, {.backend = first, .precision = Precision::double_});
    const auto sim = sim::open_simulation(scene, plan);
    sim->advance(10, {});
    sim::write_checkpoint(folder.path() / "moves.h5", *sim, scene, plan, {});
    const auto moved =
        sim::open_checkpoint(sim::read_checkpoint(folder.path() / "moves.h5"), {.backend = second});
    EXPECT_EQ(moved->hash(), sim->hash());  // rates and springs included
    sim->advance(10, {}), moved->advance(10, {});
    EXPECT_LT(largest_distance(*sim, *moved), 1e-13);
  }
}

TEST_F(SandPoolOnBoth, StopsAfterAStepUnstableForDrag) {
  const auto cpu = open_pool(Backend::cpu, fast_grain, Precision::double_),
             gpu = open_pool(Backend::cuda, fast_grain, Precision::double_),
             slow = open_pool(Backend::cuda, fast_grain, Precision::double_);
  const sim::StepReport here = cpu->advance(200, {}), there = gpu->advance(200, {});
  EXPECT_TRUE(has(there.health, sim::Health::step_too_long));
  EXPECT_EQ(there.steps, here.steps);
  while (slow->step() < here.steps && slow->advance(1, {}).health == sim::Health::good) {
  }
  EXPECT_EQ(slow->hash(), gpu->hash());
  // Further steps continue from there.
  for (sim::Simulation* one : {cpu.get(), gpu.get(), slow.get()}) one->advance(1, {});
  EXPECT_EQ(slow->hash(), gpu->hash());
  EXPECT_LT(largest_distance(*cpu, *gpu), 1e-12);
}

TEST_F(SandPoolOnBoth, DiscardsStepsWithAContactBufferOverflow) {
  // A grain hits a floor under water, of more planes at slight slopes than it has spring slots at
  // first. After the buffer has grown, repeating the same steps without overflow gives the same
  // bits.
  std::string floor;
  for (int k = 0; k < 6; ++k) {
    const double a = 3.14159265359 / 3 * k;
    floor += "plane { normal = { " + engine::number_text(0.02 * std::cos(a)) + ", " +
             engine::number_text(0.02 * std::sin(a)) + ", 1 } }, ";
  }
  const std::string lua = R"(return {
    species = { water = { matter = "fluid" }, sand = { matter = "grains" } },
    fluid = { spacing = 1, largest_speed = 3, viscosity = 0.02 },
    grains = { radius = 0.4, density = 2.5, young_modulus = 5000, friction = 0.4 },
    obstacles = { )" + floor +
                          R"( },
    integrator = { dt = 0.002 },
    bodies = { translate(lattice { counts = { 4, 4, 4 }, spacing = 1, mass = 64, species = "water" },
                         { 0, 0, 2 }),
               { species = "sand", position = { 0, 0, 0.41 }, velocity = { 0.01, 0.02, -4 } } } })";
  const auto gpu = open_pool(Backend::cuda, lua, Precision::double_);
  const auto start = gpu->save();
  gpu->advance(10, {});
  EXPECT_GE(gpu->force_state().size(), 5u * 68);
  const std::uint64_t found = gpu->hash();
  gpu->restore(*start);
  gpu->advance(10, {});
  EXPECT_EQ(gpu->hash(), found);
}

TEST_F(SandPoolOnBoth, TheShippedSceneRunsOnAGpu) {
  const sim::SceneDescription scene =
      shipped_scene("sand_and_water", {{"across", "10"}, {"deep", "3"}, {"size", "2"}});
  const auto open = [&] {
    return sim::open_simulation(
        scene, sim::make_plan(scene, {.backend = Backend::cuda, .precision = Precision::single}));
  };
  const auto one = open(), again = open();
  EXPECT_EQ(one->advance(10, {}).health, sim::Health::good);
  again->advance(3, {}), again->advance(7, {});
  EXPECT_EQ(one->hash(), again->hash());
}

TEST_F(SandPoolOnBoth, EstimatesTheMemoryOfTheMixture) {
  const sim::SceneDescription mixed = scene_of(sand_pool());
  const auto bytes = [](const sim::Model& model) {
    return sim::device_force_bytes(model, 1000, Precision::double_);
  };
  std::uint64_t alone = 0;
  for (const sim::Physics& p : mixed.physics) {
    sim::Model one = mixed;
    one.physics = {};
    one.physics.add(p.clone());
    alone += bytes(one);
  }
  // 16 numbers a particle, and the cells of grains.
  EXPECT_GT(bytes(mixed), alone + 1000 * 16 * sizeof(double));
}

}  // namespace
}  // namespace mote::test
