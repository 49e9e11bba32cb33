// Hooks that add and remove bodies.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "tests/sim/script/hooked_run.h"

namespace mote::test {
namespace {

using sim::HookVerdict;

class HookBodies : public OnEveryBackend {
 protected:
  static HookedRun make(const std::string& hooks, const std::string& before = "") {
    return HookedRun(scene_of(hooked_text(hooks, before)), GetParam());
  }
  static HookedRun every_step(const std::string& body, const std::string& before = "") {
    return make("on_step = { every = 1, run = function(sim)\n" + body + " end },", before);
  }
  /// The error of a hook with this body, without the folder of the scene.
  static std::string failure(const std::string& body) {
    HookedRun run = every_step(body);
    run.to(3);
    EXPECT_EQ(run.hooks().verdict().kind, HookVerdict::Kind::fail) << body;
    EXPECT_EQ(run.simulation().step(), 1u) << body;
    const std::string& reason = run.hooks().verdict().reason;
    const auto file = reason.find("scene.lua");
    return file == std::string::npos ? reason : reason.substr(file);
  }
};
MOTE_ON_EVERY_BACKEND(HookBodies);

// Two bodies of mass 1 at x = 0 and 2, and one of mass 2 added at rest at x = 9: (0 + 2 + 2 x 9) /
// 4 = 5, exactly.
TEST_P(HookBodies, MoveTheCenterOfMassAsComputedByHand) {
  HookedRun run(scene_of(R"(
    return { gravity = { softening = 0.5 }, integrator = { dt = 0.015625 }, bodies = {
      { mass = 1, position = { 0, 0, 0 }, velocity = { 0, 0.5, 0 } }, { mass = 1, position = { 2, 0, 0 } } },
    on_start = function(sim)
      sim:row("before", { m = sim.mass, c = sim.center_of_mass[1], p = sim.momentum[2] })
      sim:add { mass = 2, position = { 9, 0, 0 } }
      sim:row("after", { m = sim.mass, c = sim.center_of_mass[1], p = sim.momentum[2] })
      sim:remove(1)
      sim:row("end", { m = sim.mass, c = sim.center_of_mass[1], p = sim.momentum[2] })
    end })"),
                GetParam());
  run.to(1);
  EXPECT_EQ(run.all(), "before@0 c=1 m=2 p=0.5; after@0 c=5 m=4 p=0.5; end@0 c=6 m=3 p=0.5")
      << run.hooks().verdict().reason;
}

TEST_P(HookBodies, AreAddedByOneCallUpToItsMemory) {
  HookedRun run(scene_of(R"(
    return { gravity = { softening = 0.5 }, integrator = { dt = 0.015625 }, bodies = plummer { n = 2 },
    on_start = function(sim) for i = 1, 1000 do sim:add(plummer { n = 5000000 }) end end })"),
                GetParam());
  run.to(1);
  EXPECT_NE(run.hooks().verdict().reason.find(
                "one call adds 5,000,000 bodies, which take more than 256.0 MiB"),
            std::string::npos)
      << run.hooks().verdict().reason;
}

// The integrator's error, E minus its reference, is unchanged up to the rounding of sums of 60
// pairs: a few ULP of |E| ~ 1 before and after.
TEST_P(HookBodies, DoNotChangeTheEnergyError) {
  HookedRun run = make("");
  run.to(20);
  sim::Simulation& simulation = run.simulation();
  const auto error = [&] {
    return simulation.measure().energy - simulation.run_clock().first_energy;
  };
  const double before = error(), energy = simulation.measure().energy;
  sim::BodyChange change;
  change.removed = {3, 1};
  change.added.mass = {0.5, 0};
  change.added.position = {{0.25, 0, 1}, {7, 7, 7}};
  change.added.velocity = {{0, 1, 0}, {0, 0, 0}};
  simulation.change_bodies(change);
  EXPECT_GT(std::fabs(simulation.measure().energy - energy), 0.01);
  EXPECT_NEAR(error(), before, 64 * std::numeric_limits<double>::epsilon());
  EXPECT_EQ(simulation.count(), 16);
}

// Adding 0 to a sum of forces changes no bit of it.
TEST_P(HookBodies, WithoutMassChangeNoBitOfOthers) {
  HookedRun with = make(R"(
    on_start = function(sim) sim.data.id = sim:add { mass = 0, position = { 2, 2, 0 } } end,
    on_step = { every = 7, run = function(sim)
      if sim.step == 7 then sim:remove(sim.data.id) end
      if sim.step == 14 then sim:remove(sim:add { mass = 0, position = { 5, 2, 0 } }) end
    end },)");
  HookedRun without = make("");
  EXPECT_EQ(with.to(30).simulation().hash(), without.to(30).simulation().hash())
      << with.hooks().verdict().reason;
  EXPECT_EQ(with.simulation().run_clock().added, 2u);
  EXPECT_EQ(with.simulation().run_clock().removed, 2u);
  // The order of potential sums on a GPU depends on the number of bodies: a few ULP of |E| ~ 1/4.
  EXPECT_NEAR(with.simulation().measure().energy_error, without.simulation().measure().energy_error,
              64 * std::numeric_limits<double>::epsilon());
}

// An added body moves exactly like one in a scene that contains it from the start.
TEST_P(HookBodies, MoveLikeThoseOfAScene) {
  const std::string two =
      "{ mass = 1, position = { 0, 0, 0 } }, { mass = 0.25, position = { 1, 0, 0 } }";
  const std::string third = "{ mass = 0.5, position = { 0, 2, 0 }, velocity = { 0.5, 0, 0 } }";
  const std::string head =
      "return { gravity = { softening = 0.125 }, integrator = { dt = 0.015625 }, bodies = { ";
  HookedRun added(scene_of(head + two + " }, on_start = function(sim) sim:add " + third + " end }"),
                  GetParam());
  HookedRun there(scene_of(head + two + ", " + third + " } }"), GetParam());
  EXPECT_EQ(added.to(50).simulation().hash(), there.to(50).simulation().hash());
  EXPECT_EQ(added.simulation().interactions(), there.simulation().interactions());
}

TEST_P(HookBodies, GetUnusedIdsAndAreReadableImmediately) {
  HookedRun run = make(R"(
    on_step = { every = 2, run = function(sim)
      if sim.step == 2 then
        local id = sim:add { mass = 0.5, position = { 1, 2, 3 }, name = "moon", velocity = { 0, 2, 0 } }
        sim:row("one", { id = id, n = sim.count, x = sim:body(id).position[1], name = sim:body(id).name, m = sim:body("moon").mass })
        sim:remove("moon")
        sim:row("gone", { n = sim.count, there = pcall(sim.body, sim, id) })
        local list = sim:add { { mass = 0, position = { 5, 0, 0 }, name = "comet" }, plummer { n = 3, mass = 0.25 } }
        sim:row("list", { n = #list, first = list[1], last = list[4], count = sim.count, none = #sim:add {} })
        sim:remove("comet")
        sim:row("comet", { id = sim:body("comet").id, x = sim:body("comet").position[1], n = sim.count })
      elseif sim.step == 4 then
        sim:row("group", { first = sim:add(translate({ plummer { n = 2 } }, { 9, 0, 0 }))[1] })
      end
    end },)");
  run.to(5);
  EXPECT_EQ(run.all(),
            "one@2 id=16 m=0.5 n=17 name=\"moon\" x=1; gone@2 n=16 there=false; "
            "list@2 count=20 first=17 last=20 n=4 none=0; comet@2 id=17 n=19 x=5; group@4 first=21")
      << run.hooks().verdict().reason;
  std::vector<std::uint32_t> ids;
  for (engine::Index i = 0; i < run.simulation().count(); ++i) {
    ids.push_back(run.simulation().id(i));
    EXPECT_EQ(run.simulation().body(i).id, ids.back());
    EXPECT_EQ(run.simulation().index_of(ids.back()), i);
  }
  EXPECT_EQ(ids.front(), 1u);
  EXPECT_EQ(ids.back(), 22u);
  EXPECT_EQ(run.simulation().index_of(0), std::nullopt);
  EXPECT_EQ(run.simulation().name(17), "comet");
}

const char* const busy = R"(
  on_step = { { every = 5, run = function(sim)
    local id = sim:add { mass = 0.01, position = { math.random(), 1, 0 }, name = "n" .. sim.step }
    if sim.step == 15 then sim:set("gravity.softening", 0.125) end
    if sim.step > 10 then sim:remove(id - 1) end
    sim:row("five", { id = id, n = sim.count, e = sim.energy_error })
  end }, { every = 12, run = function(sim)
    sim:add(plummer { n = 3, mass = 0.25, position = { 0, 0, sim.step } })
    if sim.step == 12 then sim:remove("comet") end
  end } },)";

TEST_P(HookBodies, DoNotDependOnHowStepsAreSliced) {
  HookedRun whole = make(busy);
  whole.to(30);
  ASSERT_EQ(whole.hooks().verdict().reason, "");
  for (const std::uint64_t slice : {1, 3, 7}) {
    HookedRun sliced = make(busy);
    sliced.to(30, slice);
    EXPECT_EQ(sliced.all(), whole.all()) << slice;
    EXPECT_EQ(sliced.simulation().hash(), whole.simulation().hash()) << slice;
  }
}

// Bodies are added and removed before and after the checkpoint; ids, names and energies continue.
TEST_P(HookBodies, ContinueFromACheckpointBitForBit) {
  HookedRun whole = make(busy);
  whole.to(40);
  ASSERT_EQ(whole.hooks().verdict().reason, "");
  for (const std::uint64_t stop : {5, 13, 25}) {
    const TemporaryFolder folder;
    HookedRun first = make(busy);
    first.to(stop).save(folder / "c.h5");
    const sim::Checkpoint checkpoint = sim::read_checkpoint(folder / "c.h5");
    HookedRun second(checkpoint, GetParam());
    EXPECT_EQ(second.simulation().hash(), first.simulation().hash()) << stop;
    EXPECT_EQ(second.simulation().next_id(), first.simulation().next_id());
    second.to(40);
    EXPECT_EQ(first.all() + "; " + second.all(), whole.all()) << stop;
    EXPECT_EQ(second.simulation().hash(), whole.simulation().hash()) << stop;
    EXPECT_EQ(second.simulation().name(16), "n5");
    EXPECT_EQ(second.simulation().run_clock().removed, whole.simulation().run_clock().removed);
  }
}

// Stepping changes from one cluster to one persistent kernel to one kernel per stage, and back,
// with the same bits as a simulation opened with as many bodies.
TEST_P(HookBodies, OutgrowTheInitialKernels) {
  const TemporaryFolder folder;
  HookedRun run = make(R"(
    on_step = { { every = 1, run = function(sim)
      if sim.step == 2 then sim.data.ids = sim:add(plummer { n = 600 }) end
      if sim.step == 4 then sim.data.more = sim:add(plummer { n = 8000, mass = 0 }) end
      if sim.step == 6 then for _, id in ipairs(sim.data.more) do sim:remove(id) end end
    end } },)");
  for (const std::uint64_t step : {2, 4, 6}) {
    if (step == 4 && on_gpu() && gpu_is_emulated()) break;  // takes long there
    run.to(step);
    ASSERT_EQ(run.hooks().verdict().reason, "");
    run.save(folder / "c.h5");
    auto opened = sim::open_checkpoint(sim::read_checkpoint(folder / "c.h5"),
                                       {.backend = GetParam(), .threads = 1});
    run.to(step + 1);
    opened->advance(1, {});
    EXPECT_EQ(opened->hash(), run.simulation().hash()) << step;
    EXPECT_EQ(opened->measure().energy, run.simulation().measure().energy) << step;
  }
}

// Every call has its own random streams, determined by seed, hook and step.
TEST_P(HookBodies, OfGeneratorsDifferFromCallToCall) {
  const std::string body =
      "local ids = sim:add { plummer { n = 1, centre = false }, plummer { n = 1, centre = false } "
      "}\n"
      "for _, id in ipairs(ids) do sim:row('at', { x = sim:body(id).position[1] }) end";
  HookedRun run = every_step(body), again = every_step(body);
  run.to(2), again.to(2, 1);
  ASSERT_EQ(run.lines().size(), 4u) << run.hooks().verdict().reason;
  std::set<std::string> positions;
  for (const std::string& line : run.lines()) positions.insert(line.substr(line.find(' ')));
  EXPECT_EQ(positions.size(), 4u);
  EXPECT_EQ(run.all(), again.all());
}

TEST_P(HookBodies, AreRefusedWithTheLineAndWithoutEffect) {
  const std::vector<std::pair<std::string, std::string>> bad{
      {"sim:remove(99)", "there is no body 99; ids are 0 to 15"},
      {"sim:remove('comte')", "there is no body \"comte\""},
      {"sim:remove('comet') sim:remove('comet')", "there is no body \"comet\""},
      {"sim:remove(3) sim:remove(3)", "there is no body 3; it was removed"},
      {"sim:remove(1.5)", "there is no body 1.5; ids are 0 to 15"},
      {"sim:remove()", "expected the id or the name of a body, got no value"},
      {"for id = 0, 15 do sim:remove(id) end",
       "the last body cannot be removed; sim:stop ends a run"},
      {"sim:add(3)",
       "sim:add expects a body, a generator, a group or a list of them; sim:add { mass = 1, "
       "position = {0, "
       "0, "
       "0} }"},
      {"sim:add { position = { 0, 0, 0 } }",
       "sim:add.1.mass: is missing; a body of mass 0 feels gravity but exerts none (a number, "
       "allowed: >= "
       "0 "
       "in units of mass)"},
      {"sim:add { mass = 1, position = { 0, 0 } }",
       "sim:add.1.position: expected a vector {x, y, z}, got {0, 0}; allowed: any value in units "
       "of length"},
      {"sim:add { { mass = 1, position = { 0, 0, 0 } }, { mass = -1, position = { 0, 0, 0 } } }",
       "sim:add.2.mass: -1 is out of range; allowed: >= 0 in units of mass"},
      {"sim:add { mass = 1, position = { 0, 0, 0 }, speed = 2 }",
       "sim:add.1.speed: unknown key; known here: kind, species, radius, fixed, "
       "angular_velocity, name, mass, position, velocity, color, display_radius"},
      {"sim:add { mass = 1, position = { 0, 0, 0 }, species = 'star' }",
       "sim:add.1.species: no such species: \"star\"; the scene has none; as in species = { star = "
       "{ color = "
       "\"#ffcc88\" } }"},
      {"local p = plummer { n = 1000000000 } sim:add { p, p, p, p, p }",
       "one call adds 5,000,000,000 bodies, which take more than 256.0 MiB; add them in several "
       "calls, or put them into the scene"},
      {"sim:add { mass = 1e308, position = { 1, 1, 1 } } sim:add { mass = 1e308, position = { 1, "
       "1, 1.05 } }",
       "the force on body 16 is not finite in double precision; use other units, or a "
       "softening if two "
       "bodies nearly touch"}};
  for (const auto& [body, message] : bad)
    EXPECT_EQ(failure("\n" + body), "scene.lua:12: on_step: " + message);
  HookedRun run = every_step("pcall(sim.remove, sim, 99) pcall(sim.add, sim, { mass = -1 })");
  HookedRun plain = make("");
  EXPECT_EQ(run.to(10).simulation().hash(), plain.to(10).simulation().hash());
  EXPECT_EQ(run.hooks().verdict().reason, "");
}

// A day is 86,400 s: 10 km/s are 0.00577548 au a day. Half of the mass of the Sun at 2 au.
TEST_P(HookBodies, HaveUnitsOnTheirValues) {
  HookedRun run(scene_of("return { units = 'solar', integrator = { dt = 1 }, bodies = { { mass = "
                         "1, position = { 0, 0, "
                         "0 } } },\non_start = function(sim) sim:add { mass = 0.5, position = { '2 "
                         "au', 0, 0 }, velocity = "
                         "{ 0, '10 km/s', 0 } } end }"),
                GetParam());
  run.to(1);
  ASSERT_EQ(run.simulation().count(), 2) << run.hooks().verdict().reason;
  EXPECT_NEAR(run.simulation().body(1).velocity.y, 86400 * 10 / 149597870.7, 1e-15);
  EXPECT_EQ(run.simulation().body(1).position.x, 2);
}

// Each read of a body gathers all of them on each rank.
TEST_P(HookBodies, OfSeveralRanksAreReadUpToANumberOfThem) {
  const sim::SceneDescription scene = scene_of(
      "return { gravity = { softening = 0.0625 }, integrator = { 'leapfrog', dt = 1 / 64 }, "
      "bodies = { plummer { n = 64 } },\non_step = { every = 1, run = function(sim)\n"
      "sim:row('r', { x = sim:body(3).position[1], energy = sim.energy }) end } }");
  const auto reason = [&](std::vector<int> devices, engine::Index most) {
    sim::Plan plan =
        sim::make_plan(scene, {.backend = GetParam(), .threads = 1, .devices = std::move(devices)});
    plan.most_gathered = most;
    HookedRun run(scene, plan);
    const std::string all = run.to(2).hooks().verdict().reason;
    return all.substr(std::min(all.size(), all.find("scene.lua")));
  };
  EXPECT_EQ(reason({0, 0}, 64), "");
  EXPECT_EQ(
      reason({0, 0}, 63),
      "scene.lua:3: on_step: sim:body would gather all 64 bodies of several GPUs or processes "
      "in one, which is refused above 63; measure with series, or run on one GPU or "
      "process");
  EXPECT_EQ(reason({}, 63), "");
}

TEST_P(HookBodies, CannotBeAddedOrRemovedAfterTheRun) {
  HookedRun run = make("on_end = function(sim) sim:remove(1) end,");
  run.to(2).hooks().end(true);
  EXPECT_NE(run.hooks().verdict().reason.find("bodies cannot be added or removed after the run"),
            std::string::npos);
  EXPECT_EQ(run.simulation().count(), 16);
}

}  // namespace
}  // namespace mote::test
