#include "sim/motion/ias15.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "sim/gravity/direct.h"
#include "sim/history/history.h"
#include "sim/output/checkpoint.h"
#include "sim/space/list_fields.h"
#include "tests/support/backend.h"
#include "tests/support/sanitized.h"
#include "tests/support/states.h"

namespace mote::test {
namespace {

using engine::Vec3d;

constexpr double rounding = 0x1p-53;  ///< largest relative rounding error

class Ias15 : public OnEveryBackend {};
MOTE_ON_EVERY_BACKEND(Ias15);
class LongIas15 : public LongOnEveryBackend {};
MOTE_ON_EVERY_BACKEND(LongIas15);

/// The shipped scene with this integrator and its own steps.
sim::SceneDescription by_ias15(const std::string& name) {
  sim::SceneDescription scene = shipped_scene(name);
  scene.integrator = {.name = "ias15"};
  return scene;
}

/// Bodies at a time within the last step.
std::vector<Orbit> at(sim::Simulation& simulation, double time) {
  pass(simulation, time);
  std::vector<Orbit> all;
  EXPECT_TRUE(simulation.with_state_at(time, [&] {
    EXPECT_EQ(simulation.time(), time);
    for (engine::Index i = 0; i < simulation.count(); ++i) all.push_back(body(simulation, i));
  }));
  return all;
}

std::string two_bodies(double eccentricity) {
  const double e = eccentricity;
  return fmt::format(
      "return {{ gravity = {{}}, integrator = {{ \"ias15\" }}, bodies = {{ {{ mass = 1, position = "
      "{{ 0, 0, 0 "
      "}}, velocity = {{ 0, 0, 0 }} }}, {{ mass = 0, position = {{ {:.17g}, 0, 0 }}, velocity = {{ "
      "0, {:.17g}, 0 }} }} }} }}",
      1 + e, std::sqrt((1 - e) / (1 + e)));
}

// The backends sum forces in different orders, so that paths differ by round-off. Steps differ by
// more: their lengths follow from second derivatives of the acceleration, which are those of a
// polynomial whose last coefficients have lost three digits, times the squared length of the first
// steps, a thousandth of a timescale.
TEST_P(Ias15, TakesTheStepsOfTheCpu) {
  if (!on_gpu()) GTEST_SKIP() << "compares a GPU with the CPU";
  const sim::SceneDescription scene = by_ias15("outer_solar_system");
  const auto here = open(scene);
  const auto cpu = sim::open_simulation(
      scene, sim::make_plan(scene, {.backend = engine::Backend::cpu, .threads = 1}));
  const double orbit = 4332.589;  // of Jupiter
  while (cpu->time() < orbit) {
    here->advance(1, {});
    cpu->advance(1, {});
    ASSERT_NEAR(here->time(), cpu->time(), 1e-9 * cpu->time()) << cpu->step();
  }
  EXPECT_LT(cpu->step(), 100u);
  const double shown = cpu->time() - 0.5 * cpu->clock().dt;
  std::vector<Orbit> ends[2];
  for (const auto& [simulation, bodies] : {std::pair(here.get(), &ends[0]), {cpu.get(), &ends[1]}})
    ASSERT_TRUE(simulation->with_state_at(shown, [&, simulation = simulation, bodies = bodies] {
      for (engine::Index i = 0; i < simulation->count(); ++i)
        bodies->push_back(body(*simulation, i));
    }));
  for (std::size_t i = 1; i < ends[0].size(); ++i)
    EXPECT_LT(distance(ends[0][i].position, ends[1][i].position),
              1e-13 * std::sqrt(dot(ends[1][i].position, ends[1][i].position)))
        << i;
}

// 125 molecules that approach each other: lists of neighbours become longer than a GPU has room for
// at first, also within trials. Where a pair comes within the cutoff in a step, the force jumps by
// 24 epsilon / 4^7 = 1.5e-9, and errors are that times half the squared step, below 0.1, for each
// of 124 neighbours: 1e-9. At the end, forces of 1.1 diameters act.
TEST_P(LongIas15, TakesTheStepsOfTheCpuWithListsThatGrow) {
  if (!on_gpu()) GTEST_SKIP() << "compares a GPU with the CPU";
  const sim::SceneDescription scene = scene_of(R"(
    local bodies = {}
    for x = -2, 2 do for y = -2, 2 do for z = -2, 2 do
      bodies[#bodies + 1] = { mass = 1, position = { 2 * x, 2 * y, 2 * z },
                              velocity = { -x, -y, -z }, species = "weak" }
    end end end
    return { precision = "double", lennard_jones = { cutoff = 4 }, integrator = { "ias15" },
             species = { weak = { epsilon = 1e-6, sigma = 1 } }, bodies = bodies })");
  const auto here = open(scene);
  const auto cpu = sim::open_simulation(
      scene, sim::make_plan(scene, {.backend = engine::Backend::cpu, .threads = 1}));
  const std::vector<Orbit> found = at(*here, 0.9), expected = at(*cpu, 0.9);
  constexpr int first_room = 96;  // NeighbourListSetup::initial_capacity
  int neighbours = 0;             // of the molecule in the middle
  EXPECT_GT(distance(expected[0].position, 1.1 * Vec3d{-2, -2, -2}), 1e-7);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_LT(distance(found[i].position, expected[i].position), 1e-9) << i;
    const Vec3d x = expected[i].position;
    neighbours += i != 62 && dot(x, x) < 4 * 4 ? 1 : 0;
  }
  EXPECT_GT(neighbours, first_room);
}

// Round-off alone, as a random walk (Brouwer 1937, AJ 46, 149): each step rounds the energy by
// about its last bit.
TEST_P(LongIas15, ErrorsOfTheEnergyAreRoundOffOverAThousandJupiterYears) {
  const auto simulation = open(by_ias15("outer_solar_system"));
  simulation->measure();
  const double end = 1000 * 4332.589;
  while (simulation->time() < end) {
    simulation->advance(100, {});
    const double error = std::fabs(simulation->measure().energy_error),
                 steps = static_cast<double>(simulation->step());
    ASSERT_LT(error, 1e-14) << simulation->time();
    ASSERT_LT(error, rounding * std::sqrt(steps) + 8 * rounding) << simulation->time();
  }
}

// Positions from 113-bit arithmetic. The motion amplifies errors 4e6 times until t = 60. The
// hardest encounter, at t = 15.8, has a kinetic energy of 3,800 times the total one, which some ten
// steps round by 2^-53 each: 1.3e-12 of the energy, and 5e-6 of the positions at the end. (AVX-512
// is off by 7e-8, scalar loops by 1.2e-6, an H200 by 1.8e-6.)
TEST_P(LongIas15, FollowsThePythagoreanBodiesThroughTheirEncounters) {
  const auto simulation = open(by_ias15("pythagorean"));
  const struct {
    double time, tolerance, x[3], y[3];
  } known[] = {{10,
                1e-11,
                {0.778480410138, -2.025092477978, 1.152985736300},
                {0.141392300290, 0.097219384146, -0.162610887491}},
               {20,
                1e-9,
                {3.004292636696, -1.388626537511, -0.691674352009},
                {0.511925235025, -0.470476050253, 0.069225699187}},
               {60,
                5e-6,
                {0.743807500118, 0.264010334686, -0.657492767820},
                {1.939947951095, -0.731624394870, -0.578669254761}}};
  for (const auto& row : known) {
    const std::vector<Orbit> bodies = at(*simulation, row.time);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(bodies[i].position.x, row.x[i], row.tolerance) << row.time << " body " << i;
      EXPECT_NEAR(bodies[i].position.y, row.y[i], row.tolerance) << row.time << " body " << i;
    }
  }
}

// Every step rounds the kinetic energy, which at the pericentre is (1 + e) / (1 - e) times the
// total one: that changes the axis, and the phase by three halves of it a revolution.
TEST_P(LongIas15, ClosesOrbitsOfAnyEccentricity) {
  for (const double e : {0.0, 0.5, 0.9, 0.999, 1 - 1e-7}) {
    const auto simulation = open(scene_of(two_bodies(e)));
    const double period = 2 * std::numbers::pi;
    for (int n = 1; n <= 3; ++n) {
      const Orbit end = at(*simulation, n * period)[1];
      const double steps = static_cast<double>(simulation->step()),
                   energy = 2 * rounding * std::sqrt(steps) * (1 + e) / (1 - e),
                   phase = 3 * std::numbers::pi * n * energy, speed = std::sqrt((1 - e) / (1 + e));
      EXPECT_NEAR(end.position.x, 1 + e, 4 * energy + 16 * rounding) << e;
      EXPECT_NEAR(end.position.y, 0, phase * speed + 4 * energy + 16 * rounding) << e;
      EXPECT_NEAR(end.velocity.y, speed, 4 * energy + 16 * rounding) << e;
    }
  }
}

// Chenciner & Montgomery 2000, Ann. Math. 152, 881: one curve for all three. Positions at the start
// are known to 8 digits, the period to 9.
TEST_P(Ias15, TheFigureEightComesBack) {
  const auto simulation = open(by_ias15("figure_eight"));
  std::vector<Orbit> start;
  for (engine::Index i = 0; i < 3; ++i) start.push_back(body(*simulation, i));
  const std::vector<Orbit> end = at(*simulation, 6.32591398);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_LT(distance(end[i].position, start[i].position), 1e-7) << i;
}

TEST_P(Ias15, StepsAreThoseOfTheShortestTimescaleAndBelowTheLimit) {
  // On a circle of radius 1 the timescale is 1: steps are (5040 tolerance)^(1/7). The second
  // derivative at the end of a step lacks the next power of its polynomial, 4e-8 of it.
  const auto circle = open(scene_of(two_bodies(0)));
  circle->advance(20, {});
  EXPECT_NEAR(circle->dt(), std::pow(5040e-9, 1. / 7), 1e-8);
  sim::SceneDescription limited = scene_of(two_bodies(0));
  limited.integrator.dt = 0.01;
  const auto below = open(limited);
  double before = below->time();
  for (int k = 0; k < 50; ++k) {
    below->advance(1, {});
    EXPECT_LE(below->time() - before, 0.01 * (1 + 8 * rounding));
    before = below->time();
  }
  EXPECT_NEAR(below->dt(), 0.01, 0);
  // The step is 0.003 times as long at a pericentre of 1e-2 as at the apocentre.
  const auto eccentric = open(scene_of(two_bodies(0.99)));
  double shortest = 1, longest = 0;
  while (eccentric->time() < 2 * std::numbers::pi) {
    eccentric->advance(1, {});
    shortest = std::min(shortest, eccentric->clock().dt);
    longest = std::max(longest, eccentric->clock().dt);
  }
  EXPECT_LT(shortest, 0.005 * longest);
}

// Whoever looks at the path changes no bit of it: outputs within steps, slices, saved states and
// checkpoints.
TEST_P(Ias15, OutputsRewindsAndResumedRunsHaveTheBitsOfTheRun) {
  // By its text, which the checkpoint holds.
  const sim::SceneDescription scene = scene_of(
      "return { gravity = {}, integrator = { 'ias15' }, bodies = { { mass = 3, position = { 1, 3, "
      "0 "
      "}, velocity = { 0, 0, 0 } }, { mass = 4, position = { -2, -1, 0 }, velocity = { 0, 0, 0 } "
      "}, "
      "{ mass = 5, position = { 1, -1, 0 }, velocity = { 0, 0, 0 } } } }");
  const auto whole = open(scene), watched = open(scene), rewound = open(scene);
  whole->measure();
  whole->advance(600, {});
  watched->measure();
  const TemporaryFolder folder;
  const sim::Plan plan = sim::make_plan(scene, {.backend = GetParam(), .threads = 1});
  for (int k = 0; k < 600; k += 7) {
    watched->advance(static_cast<std::uint64_t>(std::min(7, 600 - k)), {});
    const sim::Clock& clock = watched->clock();
    ASSERT_TRUE(watched->with_state_at(clock.base_time + 0.3 * clock.dt, [&] {
      watched->measure(), watched->hash();
    })) << k;
    if (k == 301) sim::write_checkpoint(folder.path() / "a.h5", *watched, scene, plan, {}, nullptr);
  }
  EXPECT_EQ(watched->hash(), whole->hash());
  EXPECT_EQ(watched->time(), whole->time());
  sim::History history(*rewound, std::uint64_t{1} << 24, {}, 32);
  history.advance(600, 0, {}, {});
  for (const std::uint64_t back : {32u, 301u, 599u}) {
    ASSERT_TRUE(history.seek(back, {}));
    ASSERT_TRUE(history.seek(600, {}));
    EXPECT_EQ(rewound->hash(), whole->hash()) << back;
  }
  const sim::Checkpoint checkpoint = sim::read_checkpoint(folder.path() / "a.h5");
  const auto resumed = sim::open_checkpoint(checkpoint, {.backend = GetParam(), .threads = 1});
  EXPECT_EQ(resumed->step(), 308u);
  resumed->advance(600 - 308, {});
  EXPECT_EQ(resumed->hash(), whole->hash());
  EXPECT_EQ(resumed->time(), whole->time());
}

/// A body of mass 2 in fields.
std::string in_fields(const std::string& fields, const std::string& more = "") {
  return "return { integrator = { \"ias15\" }, fields = { " + fields +
         " }, bodies = { { mass = 2, position = { 1, 0, 0.5 }, velocity = { 0.3, 0.8, -0.2 } } }" +
         more + " }";
}

TEST_P(Ias15, ForcesMayDependOnVelocitiesAndTime) {
  // Drag: v exp(-k t), and a path of v (1 - exp(-k t)) / k.
  const Orbit slowed = at(*open(scene_of(in_fields("drag { linear = 0.5 }"))), 3)[0];
  EXPECT_NEAR(slowed.velocity.y, 0.8 * std::exp(-1.5), 1e-15);
  EXPECT_NEAR(slowed.position.y, 0.8 * -std::expm1(-1.5) / 0.5, 2e-15);
  // A free body, seen from a frame that rotates with w = 0.7 about z.
  const double w = 0.7, t = 3, c = std::cos(w * t), s = std::sin(w * t);
  const Orbit turned =
      at(*open(scene_of(in_fields("rotating_frame { angular_velocity = { 0, 0, 0.7 } }"))), t)[0];
  const double x = 1 + t * 0.3, y = t * (0.8 + w * 1);  // in the frame at rest
  EXPECT_NEAR(turned.position.x, c * x + s * y, 1e-14);
  EXPECT_NEAR(turned.position.y, c * y - s * x, 1e-14);
}

// Formulas: an acceleration of cos(2 t), and drag.
TEST_P(Ias15, FormulasMayDependOnVelocitiesOnTheCpu) {
  const sim::SceneDescription scene =
      scene_of(in_fields("field { acceleration = { \"cos(2*t)\", \"-0.5*vy\", \"0\" } }"));
  if (on_gpu()) {
    EXPECT_THROW(open(scene), engine::InputError);
    return;
  }
  const Orbit pushed = at(*open(scene), 3)[0];
  EXPECT_NEAR(pushed.position.x, 1 + 0.3 * 3 + (1 - std::cos(6.0)) / 4, 1e-14);
  EXPECT_NEAR(pushed.velocity.y, 0.8 * std::exp(-1.5), 1e-15);
}

/// Lengths of the domain that a body has crossed along x.
double image(sim::Simulation& simulation, std::size_t i) {
  return simulation.state().visit(
      [&](auto s) { return static_cast<double>(s[sim::fields::image[0]][i]); });
}

// Two atoms that pass through a wall of a periodic box attract each other as in open space.
TEST_P(Ias15, BodiesMayCrossAPeriodicDomain) {
  const auto atoms = [](const std::string& domain, double x) {
    return fmt::format(
        "return {{ {} lennard_jones = {{ cutoff = 4 }}, integrator = {{ \"ias15\" }}, bodies = {{ "
        "{{ "
        "mass = 1, position = {{ {:.17g}, 0, 0 }}, velocity = {{ 1, 0.1, 0 }} }}, {{ mass = 1, "
        "position = {{ {:.17g}, 0.2, 0 }}, velocity = {{ 1, -0.1, 0 }} }} }} }}",
        domain, x, x + 1.25);
  };
  const auto unbounded = open(scene_of(atoms("", 0))),
             closed = open(scene_of(atoms("domain = { size = { 12, 12, 12 } },", 3.0)));
  const std::vector<Orbit> free = at(*unbounded, 20), wrapped = at(*closed, 20);
  for (std::size_t i = 0; i < 2; ++i) {
    const double x = wrapped[i].position.x - 3, crossed = std::round((free[i].position.x - x) / 12);
    EXPECT_GE(crossed, 1);
    EXPECT_NEAR(x + 12 * crossed, free[i].position.x, 1e-11) << i;
    EXPECT_GE(image(*closed, i), crossed) << i;  // the present state may be a step further
    EXPECT_LE(image(*closed, i), crossed + 1) << i;
    EXPECT_NEAR(wrapped[i].position.y, free[i].position.y, 1e-12) << i;
    EXPECT_NEAR(wrapped[i].velocity.x, free[i].velocity.x, 1e-12) << i;
  }
}

// A resumed run does not know in which images the last step began: those of its end remain.
TEST_P(Ias15, ImagesAreKeptWithinAStepAfterARestart) {
  const auto simulation = open(scene_of(
      "return { domain = { size = { 3, 3, 3 } }, lennard_jones = { cutoff = 0.9, sigma = 0.3 }, "
      "integrator = { 'ias15', dt = 0.05 }, bodies = { { mass = 1, position = { 0, 0, 0 }, "
      "velocity = { 5, 0, 0 } } } }"));
  simulation->advance(50, {});
  const double crossed = image(*simulation, 0);
  EXPECT_GE(crossed, 2);
  const auto saved = simulation->save();
  simulation->advance(50, {});
  simulation->restore(*saved);
  const sim::Clock& clock = simulation->clock();
  ASSERT_TRUE(simulation->with_state_at(simulation->time() - 0.01 * clock.dt,
                                        [&] { EXPECT_NEAR(image(*simulation, 0), crossed, 1); }));
}

TEST_P(Ias15, ANewBodyBeginsNewSums) {
  const auto simulation = open(by_ias15("pythagorean"));
  simulation->measure();
  simulation->advance(50, {});
  sim::BodyChange change;
  change.added.mass = {1e-9};
  change.added.position = {{4, 4, 0}};
  change.added.velocity = {{0, 0, 0}};
  simulation->change_bodies(change);
  const double before = simulation->measure().energy;
  simulation->advance(200, {});
  EXPECT_NEAR(simulation->measure().energy, before, 1e-13 * std::fabs(before));
}

// Whole steps and graphs are of stages, which it does not have.
TEST_P(Ias15, HasOneSteppingOnAGpu) {
  if (!on_gpu()) GTEST_SKIP() << "a CPU has no choice";
  const sim::SceneDescription scene = by_ias15("outer_solar_system");
  EXPECT_EQ(sim::make_plan(scene, {.backend = engine::Backend::cuda}).stepping,
            sim::Stepping::launch);
  for (const sim::Stepping kind :
       {sim::Stepping::graph, sim::Stepping::cooperative, sim::Stepping::cluster})
    EXPECT_THROW(sim::make_plan(scene, {.stepping = kind}), engine::InputError);
}

TEST(Ias15Scenes, AreRefusedWhereTheirNumberOfBodiesIsForExpansions) {
  sim::SceneDescription scene = scene_of(
      "return { gravity = { softening = 0.1 }, integrator = { 'ias15' }, bodies = plummer { n = "
      "200000 } }");
  EXPECT_THROW(sim::make_plan(scene, {.backend = engine::Backend::cpu}), engine::InputError);
  scene.physics.find<sim::Gravity>()->solver = "direct";
  sim::make_plan(scene, {.backend = engine::Backend::cpu});
}

TEST(Ias15Scenes, AreRefusedWhereItCannotBe) {
  const auto problem = [](auto&& run) -> std::string {
    try {
      run();
    } catch (const engine::InputError& e) {
      return e.what();
    }
    return "";
  };
  const std::string thermostat = problem([] {
    scene_of(
        "return { thermostat = { temperature = 1, friction = 1 }, integrator = { 'ias15' }, bodies "
        "= { { mass = 1, position = { 0, 0, 0 }, velocity = { 0, 0, 0 } } } }");
  });
  EXPECT_NE(thermostat.find("thermostat: cannot be combined with the integrator ias15"),
            std::string::npos)
      << thermostat;
  const std::string courant = problem([] {
    scene_of(
        "return { integrator = { 'ias15', courant = 0.5 }, bodies = { { mass = 1, position = { 0, "
        "0, 0 }, velocity = { 0, 0, 0 } } } }");
  });
  EXPECT_NE(courant.find("integrator.courant: unknown key"), std::string::npos) << courant;
  const std::string single = problem([] {
    const sim::SceneDescription scene = by_ias15("pythagorean");
    sim::make_plan(scene, {.precision = engine::Precision::single});
  });
  EXPECT_NE(single.find("the integrator ias15 needs double precision"), std::string::npos)
      << single;
}

}  // namespace
}  // namespace mote::test
