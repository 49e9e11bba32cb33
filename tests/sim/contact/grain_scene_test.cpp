// Grains and obstacles in scenes: steps, energies, restarts, removed bodies, invalid scenes.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "engine/json.h"
#include "sim/contact/contact_formula.h"
#include "sim/output/checkpoint.h"
#include "sim/scene/read_scene.h"
#include "sim/space/ball_fields.h"
#include "tests/support/backend.h"

namespace mote::test {
namespace {

using engine::Precision;
using sim::Simulation;

class GrainScenes : public OnEveryBackend {};
MOTE_ON_EVERY_BACKEND(GrainScenes);

/// A scene with gravity along -z and a floor at z = 0.
std::string over_a_floor(const std::string& grains, const std::string& bodies,
                         const std::string& more = "", const std::string& dt = "0.0001") {
  return "return { grains = { " + grains + " }, bodies = { " + bodies +
         " }, integrator = { dt = " + dt +
         " }, fields = { uniform { acceleration = { 0, 0, -9.81 } } }, obstacles = { plane { "
         "normal = { 0, "
         "0, 1 } } }, " +
         more + " }";
}

/// 90 grains of different sizes that fall into a heap in a box, periodic along x.
std::string heap() {
  return R"(return {
    domain = { size = { 1, 0, 0 }, x = "periodic", y = "open", z = "open" },
    grains = { radius = 0.07, spread = 0.2, density = 2500, young_modulus = 1e6, friction = 0.6, rolling_friction = 0.1 },
    fields = { uniform { acceleration = { 1, 0, -9.81 } } },
    obstacles = {
      plane { point = { 0, -0.5, 0 }, normal = { 0, 1, 0 } }, plane { point = { 0, 0.5, 0 }, normal = { 0, -1, 0 } },
      plane { normal = { 0, 0, 1 }, amplitude = { 0, 0, 0.02 }, frequency = 5 },
    },
    integrator = { dt = 0.0005 },
    bodies = { translate(lattice { counts = { 5, 5, 3 }, spacing = 0.19, mass = 1, dispersion = 0.3 }, { 0, 0, 0.4 }),
               translate(lattice { counts = { 5, 3, 1 }, spacing = 0.19, mass = 1, radius = 0.05 }, { 0, 0, 0.85 }) },
  })";
}

TEST_P(GrainScenes, ABallBouncesToTheSquareOfItsRestitution) {
  const auto sim = open(scene_of(over_a_floor("radius = 0.1, density = 2500, restitution = 0.8",
                                              "{ position = { 0, 0, 1.1 } }")));
  // It rises again from sqrt(2 h / g), for 0.8 of that time.
  sim->advance(5000, {});
  double highest = 0;
  for (int k = 0; k < 500; ++k) {
    sim->advance(10, {});
    highest = std::max(highest, body(*sim, 0).position.z - 0.1);
  }
  EXPECT_NEAR(highest, 0.64, 0.01);
}

/// Friction acts where the ball touches the floor, about which its angular momentum 2/5 m r^2 w
/// stays: that of 7/5 m r v once it rolls. It slides for 2/7 w r / (friction g) = 0.15. The contact
/// is closer to the centre than r by m g / k, less than a hundredth.
TEST_P(GrainScenes, ABallThatSpinsOnAFloorRollsAway) {
  const double radius = 0.1, spin = 20, friction = 0.4;
  const auto sim =
      open(scene_of(over_a_floor("radius = 0.1, density = 2500, restitution = 0.3, friction = 0.4",
                                 "{ position = { 0, 0, 0.1 }, angular_velocity = { 0, 20, 0 } }")),
           {.precision = Precision::double_});
  const double g = 9.81, end = 2.0 / 7 * spin * radius / (friction * g);
  sim->advance(static_cast<std::uint64_t>(0.5 * end / 1e-4), {});
  EXPECT_NEAR(body(*sim, 0).velocity.x, 0.5 * end * friction * g, 0.01 * end * friction * g);
  sim->advance(static_cast<std::uint64_t>(end / 1e-4), {});
  EXPECT_NEAR(body(*sim, 0).velocity.x, 2.0 / 7 * spin * radius, 0.01 * spin * radius);
  EXPECT_NEAR(body(*sim, 0).velocity.y, 0, 1e-9);
}

TEST_P(GrainScenes, ABallThatRollsDownKeepsItsEnergyAndTurns) {
  const double slope = 0.3;
  const std::string incline = "plane { normal = { 0.29552020666, 0, 0.95533648912 } }";
  std::string lua = over_a_floor("radius = 0.1, density = 2500, restitution = 1, friction = 0.8",
                                 "{ position = { 0.029552, 0, 0.0955336 } }");
  lua.replace(lua.find("plane {"), std::string("plane { normal = { 0, 0, 1 } }").size(), incline);
  const auto sim = open(scene_of(lua), {.precision = Precision::double_});
  const double first = sim->measure().energy;
  sim->advance(10000, {});
  const sim::Measurement m = sim->measure();
  EXPECT_NEAR(m.fastest, 5.0 / 7 * 9.81 * std::sin(slope), 0.02);
  EXPECT_NEAR(m.kinetic, 0.7 * m.mass * m.fastest * m.fastest, 1e-2 * m.kinetic);
  EXPECT_NEAR(m.energy, first, 1e-2 * m.kinetic);
}

TEST_P(GrainScenes, PressedGrainsHaveElasticEnergy) {
  const auto sim = open(scene_of(
      "return { grains = { radius = 0.1, model = \"linear\", stiffness = 1000 }, integrator = { dt "
      "= 0.0001 }, bodies = { { "
      "mass = 1, position = { 0, 0, 0 } }, { mass = 1, position = { 0.195, 0, 0 } } } }"));
  EXPECT_NEAR(sim->measure().potential, 0.5 * 1000 * 0.005 * 0.005, 1e-9);
}

TEST_P(GrainScenes, MassesFollowFromRadiiThatVary) {
  const std::string lua = over_a_floor(
      "radius = 0.1, spread = 0.2, density = 3",
      "lattice { counts = { 6, 6, 6 }, spacing = 0.3, mass = 1 }, { position = { 9, 9, 9 }, "
      "radius = 0.5 }, uniform_sphere { n = 1, radius = 1, position = { 9, 9, 19 } }");
  std::string moved = lua;
  moved.replace(moved.find("lattice {"), 9, "translate(lattice {");
  moved.replace(moved.find("mass = 1 }"), 10, "mass = 1 }, { 0, 0, 2 })");
  const auto sim = open(scene_of(moved));
  double smallest = 1, largest = 0;
  sim->state().visit([&](const auto& s) {
    for (engine::Index i = 0; i < s.count; ++i) {
      const double r = double(s[sim::fields::radius][i]);
      EXPECT_NEAR(double(s.mass[i]), 4.0 / 3 * 3.141592653589793 * r * r * r * 3,
                  1e-6 * double(s.mass[i]));
      if (i < 216) smallest = std::min(smallest, r), largest = std::max(largest, r);
    }
    EXPECT_EQ(s[sim::fields::radius][216], 0.5);  // a body with its own radius keeps it
    EXPECT_NEAR(double(s[sim::fields::radius][217]), 0.1, 0.02);
  });
  EXPECT_GE(smallest, 0.08);
  EXPECT_LT(smallest, 0.083);
  EXPECT_LE(largest, 0.12);
  EXPECT_GT(largest, 0.117);
}

TEST_P(GrainScenes, GoOnFromTheMiddleOfAHeapWithTheSameBits) {
  const TemporaryFolder folder;
  for (const Precision precision : {Precision::single, Precision::double_}) {
    const sim::SceneDescription scene = scene_of(heap());
    const sim::RunOptions options{.backend = GetParam(), .precision = precision, .threads = 1};
    const sim::Plan plan = sim::make_plan(scene, options);
    const auto sim = sim::open_simulation(scene, plan);
    sim->advance(900, {});
    EXPECT_GT(sim->force_state().size(), 100u * 40);
    const double energy = sim->measure().energy;
    const auto file =
        folder.path() / ("heap" + std::to_string(static_cast<int>(precision)) + ".h5");
    sim::write_checkpoint(file, *sim, scene, plan, {});
    const auto kept = sim->save();
    EXPECT_GT(kept->bytes, sim->force_state().size());
    sim->advance(150, {});
    const std::uint64_t hash = sim->hash();
    const auto resumed = sim::open_checkpoint(sim::read_checkpoint(file),
                                              sim::RunOptions{.backend = GetParam(), .threads = 3});
    EXPECT_EQ(resumed->measure().energy, energy);
    resumed->advance(150, {});
    EXPECT_EQ(resumed->hash(), hash);
    sim->restore(*kept);
    sim->advance(70, {});
    sim->measure();  // measuring changes nothing
    sim->advance(80, {});
    EXPECT_EQ(sim->hash(), hash);
  }
}

TEST_P(GrainScenes, ContactsOfThoseThatStayOutliveOneThatGoes) {
  const auto sim =
      open(scene_of(over_a_floor("radius = 0.1, density = 2500",
                                 "{ position = { 0, 0, 0.0999 }, velocity = { 0.3, 0, 0 } }, { "
                                 "position = { 3, 0, 5 } }, { position = { 1, 0, 0.0999 }, "
                                 "velocity = { 0, 0.2, 0 } }")));
  sim->advance(100, {});
  const std::string saved = sim->force_state();
  ASSERT_GE(saved.size(), 2u * 40);
  const auto kept = sim->save();
  sim->advance(10, {});
  const std::uint64_t hash = sim->hash();
  sim->restore(*kept);
  sim->change_bodies({.removed = {1}});
  EXPECT_EQ(sim->count(), 2);
  EXPECT_EQ(sim->force_state(), saved);
  sim->restore(*kept);  // and back again
  sim->advance(10, {});
  EXPECT_EQ(sim->hash(), hash);
}

/// A cube with sides of 2 about the origin.
std::string cube_as_obj() {
  std::string obj;
  for (int k = 0; k < 8; ++k)
    obj += std::string("v ") + (k & 1 ? "1" : "-1") + (k & 2 ? " 1" : " -1") +
           (k & 4 ? " 1" : " -1") + "\n";
  return obj + "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
}

TEST_P(GrainScenes, CheckpointsNeedNoMeshFile) {
  const TemporaryFolder folder, elsewhere;
  engine::write_file(folder.path() / "cube.obj", cube_as_obj());
  engine::write_file(
      folder.path() / "scene.lua",
      "return { grains = { radius = 0.1, density = 2500 }, integrator = { dt = 0.0005 }, "
      "fields = { uniform { acceleration = { 0, 0, -9.81 } } }, obstacles = mesh { file = "
      "\"cube.obj\", "
      "container = true, scale = 0.5, resolution = 16 }, bodies = { { position = { 0, 0, -0.3 } } "
      "} }");
  const sim::SceneDescription scene = sim::read_scene(folder.path() / "scene.lua");
  const sim::Plan plan = sim::make_plan(scene, {.backend = GetParam()});
  const auto sim = sim::open_simulation(scene, plan);
  sim->advance(400, {});
  EXPECT_NEAR(body(*sim, 0).position.z, -0.4, 0.1);
  sim::write_checkpoint(elsewhere.path() / "state.h5", *sim, scene, plan, {});
  engine::write_file(folder.path() / "cube.obj", "");
  sim->advance(2000, {});
  EXPECT_NEAR(body(*sim, 0).position.z, -0.4, 0.01);
  const auto resumed = sim::open_checkpoint(sim::read_checkpoint(elsewhere.path() / "state.h5"),
                                            {.backend = GetParam()});
  resumed->advance(2000, {});
  EXPECT_EQ(resumed->hash(), sim->hash());
}

TEST_P(GrainScenes, BadOnesAreRefused) {
  // "" if the scene opens.
  const auto refusal_of_grains = [&](const std::string& lua) -> std::string {
    try {
      open(lua);
    } catch (const engine::InputError& error) {
      return error.what();
    }
    return "";
  };
  const auto expect_error = [&](const std::string& lua, const std::string& words) {
    const std::string refusal = refusal_of_grains(lua);
    EXPECT_NE(refusal.find(words), std::string::npos) << refusal;
  };
  const std::string one = "{ position = { 0, 0, 1 } }", good = "radius = 0.1, density = 2500";
  EXPECT_EQ(refusal_of_grains(over_a_floor(good, one)), "");
  EXPECT_EQ(refusal_of_grains(over_a_floor(good, one, "health = { energy_error = 0.1 }")), "");
  expect_error(over_a_floor(good, one, "lennard_jones = {}"), "needs species that set `matter`");
  expect_error(over_a_floor(good, one, "fluid = { spacing = 0.1, largest_speed = 1 }"),
               "needs species that set `matter`");
  expect_error(over_a_floor(good, one, "thermostat = { \"langevin\", temperature = 1 }"),
               "cannot be combined with a thermostat");
  expect_error(over_a_floor(good, one, "domain = { size = { 0.3, 5, 5 } }"),
               "four of the largest radii, 0.4");
  expect_error(over_a_floor(good, one, "domain = { size = { 5, 5, 5 }, y = \"wall\" }"),
               "use obstacles, as in plane");
  expect_error(over_a_floor(good, one, "", "0.1"), "a step of 0.1 does not resolve");
  expect_error(over_a_floor(good, "{ position = { 0, 0, 0.05 } }"),
               "body 0 starts inside obstacle 1, 0.05");
  expect_error(over_a_floor(good, "{ position = { 0, 0, -1 } }"),
               "place it outside of the obstacle (of a plane, on the side that its normal points "
               "to)");
  expect_error(over_a_floor(good, one + ", { position = { 0.15, 0, 1 } }"),
               "bodies 0 and 1 start inside each other");
  expect_error(over_a_floor("radius = 0.1", "{ mass = 0, position = { 0, 0, 1 } }"), "has no mass");
  expect_error(over_a_floor("density = 1", one), "radius");
  expect_error(over_a_floor(good + ", frcition = 1", one), "friction");
  const auto plain = [&](const std::string& more) {
    const std::string standard =
        more.starts_with("bodies") ? "" : "bodies = { { mass = 1, position = { 0, 0, 1 } } }, ";
    return "return { integrator = { dt = 0.001 }, " + standard + more + " }";
  };
  expect_error(plain("obstacles = { plane {} }"), "has no effect without grains or fluid or soft");
  expect_error(plain("bodies = { { mass = 1, radius = 1 } }"), "is for grains");
  const auto with = [&](const std::string& more) {
    return plain("grains = { " + good + " }, " + more);
  };
  expect_error("return { integrator = { \"yoshida4\", dt = 0.001 }, grains = { " + good +
                   " }, bodies = { " + one + " } }",
               "leapfrog");
  expect_error(with("fields = drag { linear = 1 }"), "velocity-dependent fields");
  expect_error(with("obstacles = { kind = \"plain\" }"), "plane");
  expect_error(with("obstacles = { plane { normal = { 0, 0, 0 } } }"), "no direction");
  expect_error(with("obstacles = { mesh { file = \"../bowl.stl\" } }"), "outside the folder");
  expect_error(with("obstacles = { mesh { file = \"bowl.stl\" } }"), "no such file");
  expect_error(with("obstacles = { mesh {} }"), "is missing");
}

}  // namespace
}  // namespace mote::test
