// The public interface of the library: includes only mote.h.
#include "api/mote.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <numbers>
#include <thread>

#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"

namespace mote::test {
namespace {

const Options on_cpu{.backend = "cpu", .precision = "double"};
const std::string leapfrog = R"({"gravity": {"softening": 0.05}, "integrator": {"dt": 0.01}})";

/// Two bodies on a circle of radius 1/2 about the origin, with the period 2 pi.
struct Pair {
  std::vector<double> mass{0.5, 0.5}, position{0.5, 0, 0, -0.5, 0, 0},
      velocity{0, 0.5, 0, 0, -0.5, 0};
  Bodies bodies() const { return {mass, position, velocity}; }
};

Simulation plummer(const Options& options = on_cpu) {
  return load("plummer", {{"n", "64"}, {"gravity.softening", "0.02"}}, options);
}

std::string input_error(const std::function<void()>& action) {
  return message_of<InputError>(action);
}

bool has_gpu() {
  try {
    plummer({.backend = "cuda"});
    return true;
  } catch (const InputError&) {
    return false;
  }
}

TEST(Library, FollowsACircleFromArrays) {
  const Pair pair;
  Simulation sim = from_arrays(
      pair.bodies(), R"({"gravity": {}, "integrator": {"name": "yoshida6", "dt": 0.01}})", on_cpu);
  EXPECT_EQ(sim.run_until(2 * std::numbers::pi), 629u);
  // Sixth order at 629 steps per orbit: errors are round-off, far below 1e-9. The final angle is
  // 629 dt.
  const double angle = 6.29;
  const std::vector<double> x = sim.positions();
  EXPECT_NEAR(x[0], 0.5 * std::cos(angle), 1e-9);
  EXPECT_NEAR(x[1], 0.5 * std::sin(angle), 1e-9);
  EXPECT_NEAR(x[3], -x[0], 1e-12);
  EXPECT_NEAR(sim.measure().energy, -0.125, 1e-12);
  EXPECT_LT(std::fabs(sim.measure().energy_error), 1e-11);
}

TEST(Library, HasTheHashOfTheProgram) {
  const TemporaryFolder folder;
  const std::string out = (folder / "run").string();
  const std::string command =
      test::program_path() +
      " run plummer --set n=64 --set gravity.softening=0.02 --backend cpu --steps 20 "
      "--precision double --quiet --out " +
      out;
  ASSERT_EQ(std::system(command.c_str()), 0);
  std::ifstream file(out + "/run.json");
  const std::string record(std::istreambuf_iterator<char>(file), {});
  Simulation sim = plummer();
  for (int k = 0; k < 4; ++k) sim.step(5);
  EXPECT_NE(record.find("\"state_hash\": \"" + sim.hash() + "\""), std::string::npos) << sim.hash();
}

TEST(Library, ViewsAreNotCopies) {
  Simulation sim = plummer();
  const std::span<const double> x = sim.view<double>(Column::x);
  const std::vector<double> before(x.begin(), x.end());
  sim.step(3);
  EXPECT_EQ(sim.view<double>(Column::x).data(), x.data());
  EXPECT_NE(before, std::vector<double>(x.begin(), x.end()));
  EXPECT_EQ(sim.positions()[3], x[1]);
  EXPECT_EQ(sim.view<std::uint32_t>(Column::id)[63], 63u);
  const Simulation moved = std::move(sim);
  EXPECT_EQ(moved.count(), x.size());
}

TEST(Library, RefusesASimulationThatWasMovedFrom) {
  Simulation first = plummer();
  Simulation second = std::move(first);
  EXPECT_NE(message_of<std::logic_error>([&] {
              static_cast<void>(first.count());
            }).find("was moved from"),
            std::string::npos);
  EXPECT_THROW(first.step(1), std::logic_error);
  EXPECT_THROW(first.render(64, 64), std::logic_error);
  first = std::move(second);
  EXPECT_EQ(first.step(2), 2u);
  first = plummer();
  EXPECT_EQ(first.step_count(), 0u);
  Simulation& itself = first;
  first = std::move(itself);
  EXPECT_EQ(first.count(), 64u);
}

TEST(Library, ChecksTheTypeOfViews) {
  Simulation single = plummer({.backend = "cpu", .precision = "single"});
  EXPECT_EQ(single.view<float>(Column::vx).size(), 64u);
  EXPECT_NE(input_error([&] { single.view<double>(Column::vx); }).find("use view<float>"),
            std::string::npos);
  EXPECT_NE(input_error([&] { single.view<float>(Column::id); }).find("uint32_t"),
            std::string::npos);
}

TEST(Library, ResumesFromACheckpointBitForBit) {
  const TemporaryFolder folder;
  const std::string file = (folder / "half.h5").string();
  Simulation whole = plummer(), first = plummer();
  whole.step(5), first.step(5);
  for (Simulation* sim : {&whole, &first}) sim->set("gravity.softening", 0.03);
  first.checkpoint(file);
  Simulation second = resume(file);
  EXPECT_EQ(second.step_count(), 5u);
  EXPECT_EQ(second.live().at("gravity.softening"), 0.03);
  whole.step(7), second.step(7);
  EXPECT_EQ(second.hash(), whole.hash());
  EXPECT_EQ(second.measure().energy_error, whole.measure().energy_error);
}

TEST(Library, ResumesWithBodiesFromArrays) {
  const TemporaryFolder folder;
  const std::string file = (folder / "pair.h5").string(), names[] = {"one", "other"};
  const Pair pair;
  Bodies bodies = pair.bodies();
  bodies.names = names;
  Simulation sim = from_arrays(bodies, leapfrog, on_cpu);
  sim.step(10);
  sim.checkpoint(file);
  Simulation again = resume(file);
  EXPECT_EQ(again.name(1), "other");
  sim.step(10), again.step(10);
  EXPECT_EQ(again.hash(), sim.hash());
}

TEST(Library, ReportsEveryProblemOfAScene) {
  const Pair pair;
  const auto problem = [&](const std::string& scene) {
    return input_error([&] { from_arrays(pair.bodies(), scene); });
  };
  const std::string both = problem(R"({"gravity": {"sofening": 1}, "integrator": {"dt": -1}})");
  EXPECT_NE(both.find("from_arrays: gravity.sofening: unknown key; did you mean 'softening'?"),
            std::string::npos);
  EXPECT_NE(both.find("from_arrays: integrator.dt: -1 is out of range"), std::string::npos) << both;
  EXPECT_NE(problem("{}").find("integrator.dt: is missing"), std::string::npos);
  EXPECT_NE(problem("dt = 3").find("from_arrays"), std::string::npos);
  EXPECT_NE(input_error([] { load("plumer"); }).find("did you mean 'plummer'?"), std::string::npos);
  EXPECT_EQ(input_error([] {
              load("plummer", {{"n", "0"}});
            }).substr(0, 22),
            "n: 0 is out of range; ");
  EXPECT_NE(input_error([] { load("plummer", {}, {.backend = "gpu"}); }).find("auto, cpu, cuda"),
            std::string::npos);
}

TEST(Library, RefusesArraysThatDoNotFit) {
  const auto problem = [](std::vector<double> mass, std::vector<double> position) {
    const std::vector<double> velocity(3 * mass.size());
    return input_error([&] { from_arrays({mass, position, velocity}, leapfrog); });
  };
  EXPECT_EQ(problem({}, {}), "from_arrays: mass: is empty; give at least one body");
  EXPECT_EQ(problem({1, 1}, {1, 2, 3}),
            "from_arrays: position: has 3 numbers, for 2 masses; 3 for each body");
  EXPECT_EQ(problem({1, -1}, {0, 0, 0, 1, 1, 1}), "from_arrays: mass: of body 1 is negative; >= 0");
  EXPECT_EQ(problem({1, 1}, {0, 0, 0, 1, INFINITY, 1}),
            "from_arrays: position: of body 1 is not finite");
  EXPECT_EQ(problem({1, -1}, {0, 0, 0, 1, NAN, 1}),
            "from_arrays: position: of body 1 is not finite\n"
            "from_arrays: mass: of body 1 is negative; >= 0");
}

TEST(Library, CountsNamesAsNames) {
  const Pair pair;
  const std::string names[] = {"one"};
  Bodies bodies = pair.bodies();
  bodies.names = names;
  EXPECT_EQ(input_error([&] { from_arrays(bodies, leapfrog); }),
            "from_arrays: names: has 1 name, for 2 masses; 1 for each body");
}

// A study over the number of bodies must not change its accuracy above 1,024 bodies, where scenes
// default to single precision.
TEST(Library, ComputesArraysInDoubleAtEveryNumberOfBodies) {
  for (const std::size_t n : {1024u, 1025u}) {
    const std::vector<double> mass(n, 1.0 / static_cast<double>(n)), velocity(3 * n);
    std::vector<double> position(3 * n);
    for (std::size_t i = 0; i < position.size(); ++i)
      position[i] = static_cast<double>(i * i % 1009);
    const Bodies bodies{mass, position, velocity};
    EXPECT_EQ(from_arrays(bodies, leapfrog, {.backend = "cpu"}).precision(), "double");
    EXPECT_EQ(from_arrays(bodies, leapfrog, {.backend = "cpu", .precision = "single"}).precision(),
              "single");
    const std::string single =
        R"({"gravity": {}, "integrator": {"dt": 0.01}, "precision": "single"})";
    EXPECT_EQ(from_arrays(bodies, single, {.backend = "cpu"}).precision(), "single");
  }
}

TEST(Library, ResumesFromTheFolderOfARun) {
  const TemporaryFolder folder;
  const std::string out = (folder / "run").string();
  const std::string command =
      test::program_path() +
      " run plummer --set n=64 --backend cpu --steps 20 --checkpoint-steps 10 --quiet --out " + out;
  ASSERT_EQ(std::system(command.c_str()), 0);
  Simulation sim = resume(out);
  EXPECT_EQ(sim.step_count(), 20u);
  EXPECT_EQ(sim.step(1), 1u);
  for (const std::string& wrong : {out, out + "/run.json"})
    EXPECT_NE(input_error([&] {
                load(wrong);
              }).find("is not a scene but a run; use resume(\"" + out + "\")"),
              std::string::npos);
  const std::vector<std::string> reasons = load(out + "/scene.lua", {}, on_cpu).reasons();
  EXPECT_TRUE(std::any_of(reasons.begin(), reasons.end(), [](const std::string& reason) {
    return reason.find("the run in this folder had n = 64") != std::string::npos;
  }));
}

TEST(Library, EndsWhenStopReturnsTrue) {
  Simulation sim = plummer();
  int calls = 0;
  EXPECT_EQ(sim.step(100, [&] { return ++calls > 7; }), 7u);
  EXPECT_EQ(sim.step(3), 3u);
  EXPECT_EQ(sim.step_count(), 10u);
}

TEST(Library, RunsToTheEndSetByTheScene) {
  const Pair pair;
  Simulation sim =
      from_arrays(pair.bodies(),
                  R"({"gravity": {}, "integrator": {"dt": 0.01}, "stop": {"time": 0.2}})", on_cpu);
  EXPECT_EQ(sim.run(), 20u);
  EXPECT_EQ(sim.run_until(0.1), 0u);
  sim.set("integrator.dt", 0.05);
  EXPECT_EQ(sim.run_until(0.4), 4u);
  EXPECT_DOUBLE_EQ(sim.time(), 0.4);
  Simulation endless = from_arrays(pair.bodies(), leapfrog, on_cpu);
  EXPECT_NE(input_error([&] { endless.run(); }).find("the scene sets no end"), std::string::npos);
  EXPECT_NE(input_error([&] { endless.run_until(NAN); }).find("finite"), std::string::npos);
}

TEST(Library, ThrowsWhereNumbersAreNotFinite) {
  const TemporaryFolder folder;
  Pair pair;
  pair.velocity[1] = 1e300;
  Simulation sim = from_arrays(pair.bodies(), R"({"integrator": {"dt": 1e9}})", on_cpu);
  EXPECT_THROW(sim.step(5), UnhealthyError);
  EXPECT_THROW(sim.step(5), UnhealthyError);
  EXPECT_EQ(sim.step_count(), 0u);  // the energy of the start is not finite
  EXPECT_THROW(sim.checkpoint((folder / "sick.h5").string()), UnhealthyError);
  EXPECT_TRUE(folder.empty());
}

TEST(Library, ThrowsWhereTheEnergyErrorPassesTheLimit) {
  const Pair pair;
  const std::string scene =
      R"({"gravity": {}, "integrator": {"dt": 0.3}, "health": {"energy_error": 1e-7}})";
  Simulation sim = from_arrays(pair.bodies(), scene, on_cpu);
  EXPECT_NE(
      message_of<UnhealthyError>([&] { sim.step(100); }).find("passed the scene's limit 1e-07"),
      std::string::npos);
}

// Two bodies fall into each other from rest: the step does not resolve the encounter.
TEST(Library, ThrowsWhereAConservedEnergyExplodes) {
  const std::string text = R"(return { gravity = {}, integrator = { dt = 0.01 }, bodies = {
    { mass = 1, position = { 0, 0, 0 } }, { mass = 1, position = { 1, 0, 0 } } } })";
  Simulation sim = load_text(text, "fall.lua", {}, on_cpu);
  EXPECT_NE(message_of<UnhealthyError>([&] { sim.step(300); }).find("the energy is off by "),
            std::string::npos);
  EXPECT_GT(sim.measure().energy_drift, 10);
  EXPECT_NE(sim.warning(), "");
  EXPECT_THROW(sim.step(), UnhealthyError);
}

// The same with a drag, which can only slow them.
TEST(Library, ThrowsWhereADissipatedEnergyExplodes) {
  const std::string text = R"(return { gravity = {}, fields = drag { linear = 1e-9 },
    integrator = { dt = 0.01 }, bodies = {
    { mass = 1, position = { 0, 0, 0 } }, { mass = 1, position = { 1, 0, 0 } } } })";
  Simulation sim = load_text(text, "fall.lua", {}, on_cpu);
  EXPECT_NE(message_of<UnhealthyError>([&] { sim.step(300); }).find("the energy has risen by "),
            std::string::npos);
}

// A spring that has become too stiff for the step after t = 4. The library looks at the energy at
// the end of calls, a hundred steps or more apart.
TEST(Library, WarnsOfAKineticEnergyThatExplodes) {
  const std::string text = R"(return { precision = "double",
    fields = field { acceleration = { "-(1+1e4*t)*x", 0, 0 } }, integrator = { dt = 0.01 },
    bodies = { { mass = 1, position = { 1, 0, 0 } } } })";
  Simulation sim = load_text(text, "spring.lua", {}, on_cpu);
  sim.step(200);
  EXPECT_EQ(sim.warning(), "");
  sim.step(350);
  EXPECT_EQ(sim.warning().find("the kinetic energy, "), 0u) << sim.warning();
}

TEST(Library, WarnsOfAnEnergyDrift) {
  // An orbit of eccentricity 0.9 in 60 steps.
  const std::string text =
      R"(return { gravity = { softening = 0 }, integrator = { dt = 0.1 }, bodies = {
    { mass = 1, position = { 0, 0, 0 } }, { mass = 1e-9, position = { 1.9, 0, 0 }, velocity = { 0, 0.2294, 0 } } } })";
  Simulation sim = load_text(text, "orbit.lua", {}, on_cpu);
  EXPECT_EQ(sim.warning(), "");
  EXPECT_EQ(sim.measure().energy_drift, 0);
  sim.step(150);
  EXPECT_EQ(sim.warning().find("the energy is off by "), 0u) << sim.warning();
  Simulation fine = load_text(text, "orbit.lua", {{"integrator.dt", "0.001"}}, on_cpu);
  fine.step(15'000);
  EXPECT_EQ(fine.warning(), "");
}

TEST(Library, BodiesAreChangedAddedAndRemovedBetweenSteps) {
  Simulation sim = plummer();
  const std::size_t n = sim.count();
  std::vector<double> still(3 * n, 0.0);
  sim.change({}, {}, still);
  EXPECT_EQ(sim.velocities(), still);
  const std::vector<double> mass{0.5}, position{9, 0, 0}, velocity{0, 1, 0};
  EXPECT_EQ(sim.add({mass, position, velocity}), n);
  EXPECT_EQ(sim.positions()[3 * n], 9);
  const std::vector<std::uint32_t> ids{0, 3}, twice{5, 5}, none{3};
  sim.remove(ids);
  EXPECT_EQ(sim.count(), n - 1);
  EXPECT_THROW(sim.remove(twice), InputError);
  EXPECT_THROW(sim.remove(none), InputError) << "ids are not given again";
  EXPECT_THROW(sim.add({mass, position, mass}), InputError);
  EXPECT_EQ(sim.count(), n - 1);
  EXPECT_LT(std::abs(sim.measure().energy_error), 1e-12) << "what changes bring is no error";
}

TEST(Library, RefusesOtherThreadsWhileItSteps) {
  Simulation sim = plummer();
  std::atomic<bool> started{false}, tried{false};
  std::string refused;
  std::thread other([&] {
    while (!started) std::this_thread::yield();
    try {
      sim.measure();
    } catch (const std::logic_error& e) {
      refused = e.what();
    }
    tried = true;
  });
  EXPECT_EQ(sim.step(100'000,
                     [&] {
                       started = true;
                       return tried.load();
                     }) < 100'000,
            true);
  other.join();
  EXPECT_EQ(refused, "another thread steps this mote::Simulation: wait for it");
  EXPECT_EQ(sim.step(2, [&] { return sim.step(1) != 1; }), 4u) << "a stop function may step";
  std::thread([&] { EXPECT_EQ(sim.step(1), 1u); }).join();
}

TEST(Library, TakesLiveValuesWithUnits) {
  Simulation sim = load_text(R"(return { units = "galactic", gravity = { softening = 1 },
    integrator = { dt = "1 Myr" }, bodies = plummer { n = 20, mass = "1e5 Msun", scale = "10 pc" } })");
  sim.set("gravity.softening", "1 pc");
  EXPECT_DOUBLE_EQ(sim.live().at("gravity.softening"), 1e-3);
  for (const char* wrong : {"1 Myr", "1 banana", "1x", "soon", ""})
    EXPECT_THROW(sim.set("gravity.softening", wrong), InputError) << wrong;
  EXPECT_DOUBLE_EQ(sim.live().at("gravity.softening"), 1e-3);
  try {
    sim.set("gravity.sofening", 0.1);
    ADD_FAILURE();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("did you mean 'gravity.softening'?"), std::string::npos);
  }
}

TEST(Library, OrbitsAroundABodyHaveItsMass) {
  Simulation sim = load_text(R"(return { gravity = { softening = 0 }, integrator = { dt = 1e-3 },
    bodies = { { mass = 4, position = { 1, 2, 3 }, velocity = { 0, 0, 1 } } } })");
  sim.add(R"({"kind": "orbit", "mass": 0, "semi_major_axis": 4})", 0u);
  const std::vector<double> x = sim.positions(), v = sim.velocities();
  EXPECT_NEAR(std::hypot(x[3] - 1, x[4] - 2, x[5] - 3), 4, 1e-14);
  EXPECT_NEAR(std::hypot(v[3], v[4], v[5] - 1), 1, 1e-15) << "sqrt(G m / a)";
  try {
    sim.add(R"([{"mas": 1, "position": [9, 0, 0]}])");
    ADD_FAILURE();
  } catch (const InputError& e) {
    EXPECT_EQ(e.diagnostics().front().place, "add");
  }
}

TEST(Library, SetsWhatASceneMadeLiveByItsName) {
  Simulation sim = load_text(R"(
    local eps = live("eps", 0.1, { min = 0 })
    return { gravity = { softening = eps }, bodies = plummer { n = 20 }, integrator = { dt = 0.01 } })");
  sim.set("eps", 0.25);
  EXPECT_EQ(sim.live().at("gravity.softening"), 0.25);
  EXPECT_THROW(sim.set("epsilon", 0.25), InputError);
}

TEST(Library, FieldsOfBodiesAreThoseOfTheirScene) {
  Simulation sim = load_text(R"(return {
    species = { sand = {} }, grains = { radius = 0.5, density = 2, young_modulus = 1e4 }, integrator = { dt = 1e-3 },
    bodies = { { species = "sand", position = { 0, 0, 0 } },
               { species = "sand", radius = 0.25, position = { 2, 0, 0 } } } })");
  EXPECT_EQ(sim.fields(),
            (std::vector<std::string>{"species", "radius", "spin_x", "spin_y", "spin_z"}));
  EXPECT_EQ(sim.field("radius"), (std::vector<double>{0.5, 0.25}));
  EXPECT_EQ(sim.field("species"), (std::vector<double>{1, 1}));
  EXPECT_THROW(sim.field("density"), InputError);
  EXPECT_TRUE(plummer().fields().empty());
}

TEST(Library, TakesAtMostSoManyStepsToAnEnd) {
  Simulation sim = plummer();
  const double end = 10.5 * sim.dt();
  EXPECT_EQ(sim.run_until(end, {}, 4), 4u);
  EXPECT_EQ(sim.run_until(end, {}, 100), 7u);
  EXPECT_EQ(sim.run_until(end, {}, 100), 0u);
  EXPECT_EQ(sim.run({}, 3), 3u);
}

TEST(Library, ColumnsThatAProgramHoldsStayReadableWhenItChangesBodies) {
  Simulation sim = plummer();
  const std::span<const double> x = sim.view<double>(Column::x);
  const std::vector<double> before(x.begin(), x.end());
  EXPECT_FALSE(sim.bodies_may_change());
  std::vector<double> still(3 * sim.count(), 0.0);
  sim.change({}, {}, still);
  sim.step(3);
  EXPECT_TRUE(sim.bodies_may_change());
  EXPECT_TRUE(std::equal(x.begin(), x.end(), before.begin())) << "the state of before";
  EXPECT_NE(sim.view<double>(Column::x)[0], before[0]);
}

TEST(Library, BodiesAreAddedByTablesOfAScene) {
  Simulation sim = load_text(R"(return {
    species = { a = {}, b = {} },
    gravity = { softening = 0.1 },
    integrator = { "leapfrog", dt = 0.01 },
    bodies = { { mass = 1, position = { 1, 0, 0 }, velocity = { 0, 2, 0 }, name = "sun" }, plummer { n = 20 } },
    seed = 3,
  })",
                             "scene.lua", {}, on_cpu);
  const std::uint32_t first = sim.add(R"([{"kind": "plummer", "n": 20}])");
  EXPECT_EQ(first, 21u);
  sim.add(R"([{"kind": "plummer", "n": 20}])");
  const std::vector<double> x = sim.positions();
  EXPECT_NE(x[3 * 1], x[3 * 21]) << "other random numbers than those of the scene";
  EXPECT_NE(x[3 * 21], x[3 * 41]) << "and than those added before";
  const std::uint32_t moon =
      sim.add(R"([{"mass": 0, "position": [1, 2, 3], "velocity": [4, 5, 6]}])", 0u);
  EXPECT_EQ(moon, 61u);
  EXPECT_EQ(sim.positions()[3 * 61], 2);
  EXPECT_EQ(sim.velocities()[3 * 61 + 1], 7);
  EXPECT_THROW(sim.add(R"([{"kind": "plumer", "n": 20}])"), InputError);
  EXPECT_THROW(sim.add(R"([{"mass": NaN}])"), InputError) << "no JSON";
  EXPECT_THROW(sim.add(R"([{"mass": 0, "position": [1, 2, 3], "velocity": [0, 0, 0]}])", 99u),
               InputError);
  EXPECT_EQ(sim.count(), 62u);
}

TEST(Library, CallsTheHooksOfAScene) {
  const std::string text = R"(return {
    gravity = {}, integrator = { dt = 0.01 },
    bodies = { { mass = 1, position = { 0, 0, 0 }, velocity = { 0, 0, 0 } } },
    on_step = { every = 4, run = function(sim)
      sim:set("integrator.dt", 0.02)
      if sim.step == 8 then sim:stop("enough") end
      if sim.step == 12 then sim:fail("too much") end
    end },
  })";
  Simulation sim = load_text(text, "hooks.lua", {}, on_cpu);
  EXPECT_TRUE(sim.bodies_may_change());
  EXPECT_EQ(sim.step(100), 8u);
  EXPECT_EQ(sim.ended(), "enough");
  EXPECT_DOUBLE_EQ(sim.time(), 4 * 0.01 + 4 * 0.02);
  EXPECT_EQ(sim.step(1), 1u);
  EXPECT_EQ(sim.ended(), "");
  EXPECT_NE(message_of<UnhealthyError>([&] { sim.step(100); }).find("too much"), std::string::npos);
  EXPECT_FALSE(plummer().bodies_may_change());
}

TEST(Library, GivesAccessToGpuMemory) {
  Simulation host = plummer();
  EXPECT_NE(input_error([&] { host.device_array(Column::x); }).find("not on a GPU"),
            std::string::npos);
  if (!has_gpu()) GTEST_SKIP() << "no GPU, and none is emulated";
  Simulation sim = plummer({.backend = "cuda", .precision = "double"});
  sim.step(2);
  const Array on_device = sim.device_array(Column::y);
  EXPECT_EQ(on_device.device, 0);
  EXPECT_EQ(on_device.count, 64u);
  EXPECT_EQ(on_device.bytes, 8);
  sim.step(2);
  EXPECT_EQ(sim.device_array(Column::y).data, on_device.data);
  if (!test::build_is_emulated()) return;
  // Its device memory is host memory.
  EXPECT_EQ(std::memcmp(on_device.data, sim.view<double>(Column::y).data(), 64 * 8), 0);
}

TEST(Library, DrawsWithoutADisplay) {
  Simulation sim = plummer();
  EXPECT_NE(input_error([&] { sim.render(3, 3); }).find("16 to 16384"), std::string::npos);
  Picture picture;
  try {
    picture = sim.render(64, 48);
  } catch (const std::exception& e) {
    GTEST_SKIP() << e.what();
  }
  ASSERT_EQ(picture.rgb.size(), 64u * 48 * 3);
  // Bodies are framed: the middle rows are bright.
  const auto middle = picture.rgb.begin() + 3 * 64 * 16;
  EXPECT_GT(*std::max_element(middle, middle + 3 * 64 * 16), 100);
  EXPECT_EQ(picture.rgb, sim.render(64, 48).rgb);
}

}  // namespace
}  // namespace mote::test
