#include <gtest/gtest.h>

#include <cmath>

#include "engine/json.h"
#include "tests/sim/scene/body_lists.h"

namespace mote::sim::generators_test {
namespace {

using body_lists::bodies;
using body_lists::expect_near;
using body_lists::problem;
using body_lists::scene;

TEST(SceneGenerators, AreCentredUnlessAskedNotTo) {
  const std::string rest =
      " n = 50, dispersion = 1, position = { 1, 2, 3 }, velocity = { 4, 5, 6 } ";
  const auto mean = [](const std::vector<engine::Vec3d>& vectors) {
    engine::Vec3d sum{0, 0, 0};
    for (const engine::Vec3d& v : vectors) sum += v;
    return (1.0 / 50) * sum;
  };
  const Bodies centred = bodies("cube {" + rest + "}"),
               again = bodies("cube {" + rest + ", centre = true }");
  const Bodies as_drawn = bodies("cube {" + rest + ", centre = false }");
  expect_near(mean(centred.position), {1, 2, 3});
  expect_near(mean(centred.velocity), {4, 5, 6});
  EXPECT_EQ(centred.position[7], again.position[7]);
  EXPECT_GT(length(mean(as_drawn.position) - engine::Vec3d{1, 2, 3}), 1e-3);
  EXPECT_GT(length(mean(as_drawn.velocity) - engine::Vec3d{4, 5, 6}), 1e-3);
}

TEST(SceneGenerators, CountTheirBodiesBeforeTheyAreMade) {
  EXPECT_EQ(scene("lattice { counts = { 2, 3, 5 }, structure = 'fcc' }").body_count(), 120);
  EXPECT_EQ(bodies("lattice { counts = { 2, 3, 5 }, structure = 'fcc' }").count(), 120);
  EXPECT_EQ(scene("orbit { central_mass = 1, periapsis = 1 }").body_count(), 1);
}

// Murray & Dermott (1999), eq. 2.122: X / r = cos Omega cos(omega + f) - sin Omega sin(omega + f)
// cos I, and so on.
TEST(SceneOrbits, FollowTheirElements) {
  const Bodies all = bodies(
      "orbit { mass = 0, central_mass = 1, semi_major_axis = 2, eccentricity = 0.5, true_anomaly = "
      "50, "
      "argument_of_periapsis = 40, inclination = 30, node = 70, position = { 1, 2, 3 }, velocity = "
      "{ 4, 5, 6 "
      "} }");
  const double degree = std::acos(-1.0) / 180;
  const double f = 50 * degree, u = 90 * degree, i = 30 * degree, node = 70 * degree;
  const double r = 2 * 0.75 / (1 + 0.5 * std::cos(f));
  const auto turned = [&](double angle) -> engine::Vec3d {
    return {std::cos(node) * std::cos(angle) - std::sin(node) * std::sin(angle) * std::cos(i),
            std::sin(node) * std::cos(angle) + std::cos(node) * std::sin(angle) * std::cos(i),
            std::sin(angle) * std::sin(i)};
  };
  expect_near(all.position[0], engine::Vec3d{1, 2, 3} + r * turned(u));
  // Along the radius e sin f, across it 1 + e cos f, times sqrt(mu / p) (eq. 2.31 to 2.33).
  const double rate = std::sqrt(1 / 1.5);
  const engine::Vec3d across = turned(u + 90 * degree);
  expect_near(all.velocity[0], engine::Vec3d{4, 5, 6} + (rate * 0.5 * std::sin(f)) * turned(u) +
                                   (rate * (1 + 0.5 * std::cos(f))) * across);
}

const std::string jupiter =
    "{ { name = 'Sun', mass = 100, position = { 0, 0, 0 } }, orbit { name = 'Jupiter', mass = 9, "
    "central_mass = 100, semi_major_axis = 50,"
    "  moons = { orbit { name = 'Io', mass = 1, semi_major_axis = 2, moons = { { periapsis = 0.25 "
    "} } },"
    "            orbit { name = 'Europa', semi_major_axis = 4, mean_anomaly = 180, inclination = "
    "90 } } } }";

// A moon's circular orbit about its parent, with the mass of both: v^2 = (9 + 1) / 2 and 9 / 4.
TEST(SceneOrbits, HaveMoonsThatMoveWithThem) {
  EXPECT_EQ(scene(jupiter).body_count(), 5);
  const Bodies all = bodies(jupiter);
  EXPECT_EQ(all.names, (std::vector<std::string>{"Sun", "Jupiter", "Io", "", "Europa"}));
  const double speed = std::sqrt(109.0 / 50);
  expect_near(all.position[1], {50, 0, 0});
  expect_near(all.velocity[1], {0, speed, 0});
  expect_near(all.position[2], {52, 0, 0});
  expect_near(all.velocity[2], {0, speed + std::sqrt(5.0), 0});
  expect_near(all.position[3], {52.25, 0, 0});
  expect_near(all.velocity[3], {0, speed + std::sqrt(5.0) + 2, 0});
  expect_near(all.position[4], {46, 0, 0});
  expect_near(all.velocity[4], {0, speed, -1.5});
}

TEST(SceneOrbits, AreTheSameFromTheExpandedScene) {
  const SceneDescription first = scene(jupiter);
  const SceneDescription second = SceneText(engine::json_text(first.expanded, 2), ".json").read();
  EXPECT_EQ(*second.expanded, *first.expanded);
  const Bodies a = make_bodies(first, 1), b = make_bodies(second, 1);
  EXPECT_EQ(a.names, b.names);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(a.velocity[i], b.velocity[i]);
}

TEST(SceneOrbits, RefuseInvalidMoons) {
  const auto with = [](const std::string& moons) {
    return problem("orbit { mass = 1, central_mass = 1, periapsis = 1,\nmoons = " + moons + " }");
  };
  EXPECT_EQ(with("5"), "2: bodies.1.moons: expected a list, got 5; a list of orbits");
  EXPECT_EQ(
      with("{ plummer { n = 1 } }"),
      "2: bodies.1.moons.1: expected an orbit, got a table; moons are orbits about their parent");
  EXPECT_EQ(with("{ orbit { periapsi = 1, semi_major_axis = 1 } }"),
            "2: bodies.1.moons.1.periapsi: unknown key; did you mean 'periapsis'?");
  EXPECT_EQ(
      problem("orbit { central_mass = 1, periapsis = 1,\nmoons = { orbit { periapsis = 1 } } }"),
      "2: bodies.1.moons.1.central_mass: is missing or 0; give the mass of the primary, greater "
      "than 0");
  EXPECT_EQ(with("{ orbit { periapsis = 1, central_mass = 7 } }"),
            "2: bodies.1.moons.1.central_mass: 7 is not the mass of the moon's parent, "
            "1; leave it out, or change the mass of the parent");
  EXPECT_EQ(problem("orbit { mass = -1, central_mass = 1, periapsis = 1,\nmoons = { orbit { "
                    "periapsis = 1 } } }"),
            "1: bodies.1.mass: -1 is out of range; allowed: >= 0 in units of mass, default 0")
      << "without a second problem for the moon's central mass";
}

TEST(SceneGenerators, RefuseInconsistentParameters) {
  EXPECT_EQ(problem("shell { n = 1,\ninner_radius = 2 }"),
            "2: bodies.1.inner_radius: 2 is larger than radius, 1; give at most the outer radius");
  EXPECT_EQ(problem("king { n = 1, core_radius = 1,\ntidal_radius = 2 }"),
            "2: bodies.1.tidal_radius: is given together with core_radius; give only one: the "
            "other follows from w0");
  EXPECT_EQ(problem("cluster { n = 1, masses = 'equal' }"),
            "1: bodies.1.mass: is missing; give the total mass: masses = \"equal\" needs it");
  EXPECT_EQ(problem("lattice { counts = { 2, 2.5, 2 } }"),
            "1: bodies.1.counts: {2, 2.5, 2} is not integer; give three whole numbers");
  EXPECT_EQ(problem("galaxy { n = 5, n_halo = 7 }"),
            "2 problems");  // n is too small, and the bulge has no body
  // Invalid values hide relations, which would be checked with defaults.
  EXPECT_EQ(problem("shell { n = 1, radius = -3, inner_radius = 2 }"),
            "1: bodies.1.radius: -3 is out of range; allowed: > 0 in units of length, default 1");
}

}  // namespace
}  // namespace mote::sim::generators_test
