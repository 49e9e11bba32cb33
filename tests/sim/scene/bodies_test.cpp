#include <gtest/gtest.h>

#include <cmath>

#include "engine/json.h"
#include "sim/io/snapshot.h"
#include "tests/sim/scene/body_lists.h"

namespace mote::sim {
namespace {

using body_lists::bodies;
using body_lists::expect_near;
using body_lists::problem;
using body_lists::scene;

const std::string one_body = "{ mass = 1, position = { 1, 0, 0 }, velocity = { 0, 2, 0 } }";

/// The offset between two ranges of positions if it is the same for all bodies, else nothing.
std::optional<engine::Vec3d> offset(const Bodies& all, std::size_t first, std::size_t second,
                                    std::size_t count) {
  const engine::Vec3d d = all.position[second] - all.position[first];
  for (std::size_t i = 0; i < count; ++i) {
    const engine::Vec3d e = all.position[second + i] - all.position[first + i] - d;
    if (dot(e, e) > 1e-24) return std::nullopt;
  }
  return d;
}

TEST(SceneBodies, AreInTheOrderOfTheList) {
  const Bodies all = bodies(
      "{ { name = 'a', mass = 1, position = { 1, 2, 3 } }, plummer { n = 3 }, " + one_body + " }");
  ASSERT_EQ(all.count(), 5);
  EXPECT_EQ(all.names[0], "a");
  expect_near(all.position[0], {1, 2, 3});
  expect_near(all.velocity[0], {0, 0, 0});
  EXPECT_EQ(all.mass[1], 1 / 3.0);
  expect_near(all.velocity[4], {0, 2, 0});
}

TEST(SceneBodies, OneGeneratorNeedsNoList) {
  EXPECT_EQ(scene("plummer { n = 7 }").body_count(), 7);
  EXPECT_EQ(scene(one_body).body_count(), 1);
}

TEST(SceneBodies, TranslateAddsToPositionsAndBoostToVelocities) {
  const Bodies moved = bodies("{ translate(" + one_body + ", { 0, 5, 0 }), boost({ " + one_body +
                              ", " + one_body + " }, { 1, 0, 0 }) }");
  ASSERT_EQ(moved.count(), 3);
  expect_near(moved.position[0], {1, 5, 0});
  expect_near(moved.velocity[0], {0, 2, 0});
  expect_near(moved.position[2], {1, 0, 0});
  expect_near(moved.velocity[2], {1, 2, 0});
}

TEST(SceneBodies, RotateTurnsPositionsAndVelocitiesRightHanded) {
  const Bodies turned =
      bodies("{ rotate(" + one_body + ", { axis = { 0, 0, 3 }, angle = 90 }), rotate(" + one_body +
             ", { angle = -90 }) }");
  expect_near(turned.position[0], {0, 1, 0});
  expect_near(turned.velocity[0], {-2, 0, 0});
  expect_near(turned.position[1], {0, -1, 0});
}

TEST(SceneBodies, TransformationsNestFromInsideOut) {
  const Bodies all = bodies("{ rotate(translate(" + one_body +
                            ", { 1, 0, 0 }), { angle = 90 }), translate(rotate(" + one_body +
                            ", { angle = 90 }), { 1, 0, 0 }) }");
  expect_near(all.position[0], {0, 2, 0});
  expect_near(all.position[1], {1, 1, 0});
}

TEST(SceneBodies, ScaleMultipliesLengthsVelocitiesAndMasses) {
  const Bodies scaled =
      bodies("{ scale(" + one_body + ", { length = 3, velocity = -2, mass = 0.5 }) }");
  expect_near(scaled.position[0], {3, 0, 0});
  expect_near(scaled.velocity[0], {0, -4, 0});
  EXPECT_EQ(scaled.mass[0], 0.5);
}

TEST(SceneBodies, SpinAddsRateTimesRadius) {
  // omega x r about z at (1, 0, 0) is (0, omega, 0); along the axis nothing is added.
  const Bodies spun =
      bodies("{ spin(" + one_body + ", { rate = 1 }), spin(" + one_body +
             ", { axis = { -2, 0, 0 }, rate = 1.5 }), "
             "spin({ mass = 1, position = { 0, 0, 2 } }, { axis = { 5, 0, 0 }, rate = 1 }) }");
  expect_near(spun.velocity[0], {0, 3, 0});
  expect_near(spun.velocity[1], {0, 2, 0});
  expect_near(spun.velocity[2], {0, -2, 0});
}

// A plain number is an angular velocity in radians per unit of time everywhere.
TEST(SceneBodies, SpinOfAGroupHasTheUnitsOfThatOfAGenerator) {
  const Bodies a = bodies(
      "{ ring { n = 5, stream = 1, spin = 0.7, centre = false }, "
      "spin(ring { n = 5, stream = 1, centre = false }, { rate = 0.7 }) }");
  for (std::size_t i = 0; i < 5; ++i) expect_near(a.velocity[i + 5], a.velocity[i]);
  EXPECT_GT(length(a.velocity[0]), 0.5);
  const auto with_units = [](const std::string& made) {
    return make_bodies(
        SceneText("return { units = 'solar', integrator = { dt = 1 }, bodies = " + made + " }")
            .read(),
        1);
  };
  const Bodies slow =
      with_units("ring { n = 5, stream = 1, spin = '180 deg/day', centre = false }");
  const Bodies turned =
      with_units("spin(ring { n = 5, stream = 1, centre = false }, { rate = '0.5 turns/day' })");
  EXPECT_NEAR(length(slow.velocity[0]), std::acos(-1.0), 1e-14);
  for (std::size_t i = 0; i < 5; ++i) expect_near(turned.velocity[i], slow.velocity[i]);
}

TEST(SceneBodies, ListsInListsAreFlattened) {
  const std::string two = "{ " + one_body + ", { mass = 7, position = { 0, 0, 0 } } }";
  EXPECT_EQ(bodies("{ " + two + ", { { plummer { n = 3 } }, " + one_body + " } }").count(), 6);
  EXPECT_EQ(
      bodies("{ copy(" + two + "), place(copy(" + two + "), { position = { 5, 0, 0 } }) }").mass,
      (std::vector<double>{1, 7, 1, 7}));
  const Bodies moved =
      bodies("{ translate({ list, list, " + one_body + " }, { 1, 0, 0 }) }", "local list = " + two);
  ASSERT_EQ(moved.count(), 5);
  expect_near(moved.position[3], {1, 0, 0});
  EXPECT_EQ(problem("{ { " + one_body + ", 5 } }"),
            "1: bodies.1.2: expected a body, a generator or a group, got 5");
  EXPECT_EQ(problem("{ plummer }"),
            "1: bodies.1: expected a body, a generator or a group, got a function; call the "
            "function, as in "
            "plummer { n = 1000 }");
}

TEST(SceneBodies, FromListsInListsAreTheSameInTheExpandedScene) {
  const SceneDescription first = scene("{ { plummer { n = 3 }, { " + one_body +
                                       " } }, rotate({ { disk { n = 4 } } }, { angle = 3 }) }");
  const SceneDescription second = SceneText(engine::json_text(first.expanded, 2), ".json").read();
  EXPECT_EQ(*second.expanded, *first.expanded);
  EXPECT_EQ((*first.expanded)["bodies"].size(), 3u);
  const Bodies a = make_bodies(first, 1), b = make_bodies(second, 1);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(a.position[i], b.position[i]);
}

TEST(SceneBodies, PlaceInclinesTurnsAndMoves) {
  const Bodies placed = bodies(
      "{ place({ mass = 1, position = { 0, 1, 0 } }, { inclination = 90, node = 90, position = "
      "{ 0, 0, 5 }, velocity = { 1, 0, 0 } }), place(" +
      one_body + ", { node = 90 }) }");
  expect_near(placed.position[0], {0, 0, 6});
  expect_near(placed.velocity[0], {1, 0, 0});
  expect_near(placed.position[1], {0, 1, 0});
}

TEST(SceneBodies, OneGroupScalesThenTurnsThenSpinsThenMoves) {
  const SceneText json(R"({ "gravity": {}, "integrator": { "dt": 1 }, "bodies": [ { "kind": "group",
    "scale": { "length": 2 }, "angle": 90, "spin": { "rate": 1 }, "position": [10, 0, 0],
    "velocity": [0, 0, 1], "bodies": [{ "mass": 1, "position": [1, 0, 0] }] } ] })",
                       ".json");
  const Bodies all = make_bodies(json.read(), 1);
  // (1, 0, 0) becomes (2, 0, 0), then (0, 2, 0), whose spin of 1 radian adds (-2, 0, 0).
  expect_near(all.position[0], {10, 2, 0});
  expect_near(all.velocity[0], {-2, 0, 1});
}

TEST(SceneBodies, BelongToTheSpeciesTheyName) {
  const std::string gas = "{ mass = 1, position = { 0, 0, 0 }, species = 'gas' }";
  const SceneText text(
      "return { integrator = { dt = 1 }, species = { star = { color = '#ffcc88' }, gas = {} }, "
      "bodies = { " +
      one_body + ", " + gas + ", plummer { n = 2, species = 'star' }, " + gas + ", " + one_body +
      " } }");
  const SceneDescription first = text.read();
  ASSERT_EQ(first.species.size(), 2u);
  EXPECT_EQ(first.species[0].name, "gas");
  EXPECT_EQ(first.species[1].color, "#ffcc88");
  EXPECT_EQ(make_bodies(first, 1).species, (std::vector<std::uint8_t>{0, 1, 2, 2, 1, 0}));
  const SceneDescription second = SceneText(engine::json_text(first.expanded, 2), ".json").read();
  EXPECT_EQ(*second.expanded, *first.expanded);
  EXPECT_EQ(make_bodies(second, 1).species, make_bodies(first, 1).species);
}

TEST(SceneBodies, ComeFromGadgetAndTipsyFiles) {
  const SceneText text(
      "return { integrator = { dt = 1 }, bodies = { gadget { file = 'parts/a.hdf5' }, tipsy { file "
      "= "
      "'b.tipsy' } } }");
  const std::vector<std::uint32_t> ids{0};
  const std::vector<double> number{3};
  text.with("parts/empty", "");
  write_snapshot(
      text.folder() / "parts/a.hdf5",
      {ids, SnapshotArrays<double>{number, number, number, number, number, number, number}, 0, 0, 0,
       *engine::unit_system_named("nbody")});
  // A native header with one body of dark matter, and its nine values, of which the first, the
  // mass, is 2.0.
  std::string tipsy(8, '\0');
  tipsy +=
      std::string("\1\0\0\0\3\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0", 20) + std::string("\0\0\0\x40", 4);
  text.with("b.tipsy", tipsy + std::string(32, '\0'));
  const Bodies all = make_bodies(text.read(), 1);
  EXPECT_EQ(all.mass, (std::vector<double>{3, 2}));
  expect_near(all.velocity[0], {3, 3, 3});
  EXPECT_EQ(text.read().files.size(), 3u);
}

TEST(SceneBodies, GeneratorsInclineThenTurnThenMove) {
  const std::string flat = "disk { n = 50, stream = 4 }";
  const Bodies all = bodies("{ " + flat +
                            ", disk { n = 50, stream = 4, inclination = 90, node = 90, position = "
                            "{ 0, 0, 7 }, velocity = "
                            "{ 3, 0, 0 } } }");
  ASSERT_EQ(all.count(), 100);
  for (std::size_t i = 0; i < 50; ++i) {
    // About x by 90 degrees: (x, -z, y); about z by 90 degrees: (z, x, y).
    const engine::Vec3d p = all.position[i], v = all.velocity[i];
    const engine::Vec3d q = all.position[50 + i], w = all.velocity[50 + i];
    EXPECT_NEAR(q.x, p.z, 1e-13);
    EXPECT_NEAR(q.y, p.x, 1e-13);
    EXPECT_NEAR(q.z, p.y + 7, 1e-13);
    EXPECT_NEAR(w.x, v.z + 3, 1e-13);
    EXPECT_NEAR(w.y, v.x, 1e-13);
  }
}

TEST(SceneBodies, EachGeneratorDrawsItsOwnBodiesAndACopyTheSame) {
  const Bodies all = bodies(
      "{ plummer { n = 20 }, plummer { n = 20 }, c, copy(c), translate(copy(c), { 9, 0, 0 }) }",
      "local c = plummer { n = 20 }");
  ASSERT_EQ(all.count(), 100);
  EXPECT_FALSE(offset(all, 0, 20, 20));
  EXPECT_FALSE(offset(all, 0, 40, 20));
  ASSERT_TRUE(offset(all, 40, 60, 20));
  expect_near(*offset(all, 40, 60, 20), {0, 0, 0});
  ASSERT_TRUE(offset(all, 40, 80, 20));
  EXPECT_NEAR(offset(all, 40, 80, 20)->x, 9, 1e-13);
}

TEST(SceneBodies, ACopyCanBeChangedWithoutTheOriginal) {
  const Bodies all = bodies("{ a, b }",
                            "local a = { mass = 1, position = { 1, 0, 0 } }\nlocal b = "
                            "copy(a)\nb.position[1] = 5 b.mass = 2");
  EXPECT_EQ(all.mass[0], 1);
  EXPECT_EQ(all.position[0].x, 1);
  EXPECT_EQ(all.mass[1], 2);
  EXPECT_EQ(all.position[1].x, 5);
}

TEST(SceneBodies, GeneratorsInJsonDrawTheirOwnBodiesToo) {
  const SceneText json(R"({ "gravity": {}, "integrator": { "dt": 1 }, "bodies": [
    { "kind": "plummer", "n": 20 }, { "kind": "group", "bodies": [{ "kind": "plummer", "n": 20 }] } ] })",
                       ".json");
  const Bodies all = make_bodies(json.read(), 1);
  ASSERT_EQ(all.count(), 40);
  EXPECT_FALSE(offset(all, 0, 20, 20));
}

TEST(SceneBodies, FromTheExpandedSceneAreTheSame) {
  const SceneDescription first =
      scene("{ " + one_body +
            ", rotate({ plummer { n = 9 }, disk { n = 5, inclination = 20 } }, { axis = { 1, 1, 0 "
            "}, angle = "
            "33 }), "
            "uniform_sphere { n = 4, virial_ratio = 0.3, velocity = { 0.1, 0, 0 } } }");
  const SceneDescription second = SceneText(engine::json_text(first.expanded, 2), ".json").read();
  EXPECT_EQ(*second.expanded, *first.expanded);
  const Bodies a = make_bodies(first, 1), b = make_bodies(second, 2);
  ASSERT_EQ(a.count(), 19);
  EXPECT_EQ(a.mass, b.mass);
  for (std::size_t i = 0; i < 19; ++i) {
    EXPECT_EQ(a.position[i].x, b.position[i].x);
    EXPECT_EQ(a.velocity[i].z, b.velocity[i].z);
  }
}

TEST(SceneBodies, FunctionsRefuseWhatTheyCannotUse) {
  EXPECT_EQ(problem("{ disk() }"), "1: disk expects one table, { ... }");
  EXPECT_EQ(problem("{ disk({ n = 1 }, { n = 2 }) }"), "1: disk expects one table, { ... }");
  EXPECT_EQ(problem("{ translate({ 1 }) }"), "1: translate expects bodies and a vector {x, y, z}");
  EXPECT_EQ(problem("{ boost(5, { 1, 0, 0 }) }"), "1: boost expects bodies and a vector {x, y, z}");
  EXPECT_EQ(problem("{ rotate(" + one_body + ", { axis = { 0, 0, 1 } }) }"),
            "1: rotate expects bodies and { axis = {x, y, z}, angle = degrees }");
  EXPECT_EQ(
      problem("{ rotate(" + one_body + ", { angle = 1, position = { 0, 0, 1 } }) }"),
      "1: rotate has no position; it expects bodies and { axis = {x, y, z}, angle = degrees }");
  EXPECT_EQ(problem("{ copy() }"), "1: copy expects bodies");
  EXPECT_EQ(problem("{ scale(" + one_body + ", 2) }"),
            "1: scale expects bodies and { length = , velocity = , mass = }");
  EXPECT_EQ(problem("{ place(" + one_body + ", { angle = 2 }) }"),
            "1: place has no angle; it expects bodies and { position = , velocity = , inclination "
            "= , node = }");
}

TEST(SceneBodies, GroupsAreCheckedLikeSingleBodies) {
  EXPECT_EQ(problem("{ translate(" + one_body + ", { 1, 0 }) }"),
            "1: bodies.1.position: expected a vector {x, y, z}, got {1, 0}; allowed: any value in "
            "units of "
            "length, default "
            "{0, 0, 0}");
  EXPECT_EQ(problem("{ translate({}, { 1, 0, 0 }) }"),
            "1: bodies.1.bodies: is empty; a group needs a list of bodies");
  EXPECT_EQ(problem("{ scale(" + one_body + ", { lenght = 2 }) }"),
            "1: bodies.1.scale.lenght: unknown key; did you mean 'length'?");
  EXPECT_EQ(problem("{ scale(" + one_body + ", { length = 0 }) }"),
            "1: bodies.1.scale.length: 0 is out of range; allowed: > 0, default 1");
  EXPECT_EQ(problem("{ spin(" + one_body + ", { axis = { 0, 0, 0 }, rate = 1 }) }"),
            "1: bodies.1.spin.axis: has zero length; any non-zero vector gives a direction, as {0, "
            "0, 1} for the z axis");
  EXPECT_EQ(problem("{ { mass = 1, position = { 0, 0, 0 }, species = 'star' } }"),
            "1: bodies.1.species: no such species: \"star\"; the scene has none; as in species = { "
            "star = { "
            "color = "
            "\"#ffcc88\" } }");
  EXPECT_EQ(problem("{ 5 }"), "1: bodies.1: expected a body, a generator or a group, got 5");
  EXPECT_EQ(
      problem("{ disk { n = 1, scale_length = 0 } }"),
      "1: bodies.1.scale_length: 0 is out of range; allowed: > 0 in units of length, default 1");
}

}  // namespace
}  // namespace mote::sim
