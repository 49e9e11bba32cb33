#include "sim/source/reader.h"
#include "sim/scene/read_scene.h"

#include <gtest/gtest.h>

#include <functional>

#include "tests/sim/scene/scene_text.h"

namespace mote::sim {
namespace {

/// A scene with one more line, its third.
Lines problems_with(const std::string& line) {
  return SceneText("return {\n  bodies = { { mass = 1, position = { 0, 0, 0 } } },\n" + line +
                   "\n}")
      .problems();
}

const std::string good = "integrator = { dt = 1 }, ";

TEST(Reader, AcceptsAGoodScene) {
  EXPECT_EQ(problems_with(good), Lines());
}

TEST(Reader, DescribesAMissingKey) {
  EXPECT_EQ(problems_with(""),
            (Lines{"1: integrator.dt: is missing; time step, with courant the largest allowed (a "
                   "number, allowed: > 0 in units of time)"}));
}

TEST(Reader, SuggestsASimilarNameOrListsThemAll) {
  EXPECT_EQ(problems_with(good + "gravity = { sofening = 1 }"),
            (Lines{"3: gravity.sofening: unknown key; did you mean 'softening'?"}));
  EXPECT_EQ(problems_with(good + "gravity = { mass = 1 }"),
            (Lines{"3: gravity.mass: unknown key; known here: softening, constant, solver, "
                   "accuracy, order, leaf"}));
  EXPECT_EQ(problems_with(good + "stop = { 5 }"),
            (Lines{"3: stop.1: a value without a key, 5; known here: time, steps"}));
  EXPECT_EQ(
      problems_with(good + "[true] = 1"),
      (Lines{
          "1: [true]: unknown key; known here: title, about, "
          "units, seed, precision, axles, grains, grain_pairs, lennard_jones, coulomb, pairs, "
          "bonds, "
          "bond_kinds, "
          "angles, angle_kinds, gravity, fields, hand, fluid, emitters, drains, soft, thermostat, "
          "domain, radial_distribution, obstacles, integrator, species, bodies, "
          "stop, series, snapshots, checkpoints, health, view, on_start, on_step, "
          "on_time, on_end, on_unhealthy"}));
}

TEST(Reader, NamesTheUnitOfTheScene) {
  EXPECT_EQ(problems_with(good + "units = 'galactic', gravity = { softening = -1 }"),
            (Lines{"3: gravity.softening: -1 is out of range; allowed: >= 0 in kpc, default 0"}));
}

// Points of light would hide what a newcomer has just connected.
TEST(Reader, DrawsSpheresWhereBodiesHaveRadiiOrAreConnected) {
  const auto bodies_of = [](const std::string& rest) {
    return SceneText("return { integrator = { dt = 0.01 }, " + rest + " }").read().view.bodies;
  };
  const std::string one = "{ mass = 1, position = { 0, 0, 0 } }",
                    pair = "bodies = { " + one + ", { mass = 1, position = { 1, 0, 0 } } }, ",
                    spring =
                        "bond_kinds = { spring = { stiffness = 1, length = 1 } }, "
                        "bonds = { { kind = 'spring', bodies = { { 0, 1 } } } }, ";
  EXPECT_EQ(bodies_of(pair), "stars");
  EXPECT_EQ(bodies_of(pair + spring), "spheres");
  EXPECT_EQ(bodies_of("soft = {}, bodies = { rope { n = 3, length = 1 } }"), "spheres");
  EXPECT_EQ(bodies_of("grains = { radius = 0.1, density = 1, young_modulus = 1e5 }, "
                      "bodies = { { position = { 0, 0, 0 } } }"),
            "spheres");
  EXPECT_EQ(bodies_of(pair + spring + "view = { bodies = 'stars' }"), "stars");
}

// Of a million bodies in double precision a checkpoint has some 56 MB, of twenty million 1.1 GB.
TEST(Reader, WantsNoCheckpointOfTheEndAboveAGibibyteUnlessAsked) {
  const std::uint64_t limit = 1ull << 30;
  const auto wants = [&](const std::function<void(CheckpointTimes&)>& set) {
    CheckpointTimes times{};
    set(times);
    return std::pair{times.wants_end(limit), times.wants_end(limit + 1)};
  };
  EXPECT_EQ(wants([](auto&) {}), (std::pair{true, false}));
  EXPECT_EQ(wants([](auto& t) { t.steps = 10; }), (std::pair{true, true}));
  EXPECT_EQ(wants([](auto& t) { t.wall = 0; }), (std::pair{true, false}));
  EXPECT_EQ(wants([](auto& t) { t.at_end = "always"; }), (std::pair{true, true}));
  EXPECT_EQ(wants([](auto& t) { t.steps = 10, t.at_end = "never"; }), (std::pair{false, false}));
}

TEST(Reader, ConvertsBetweenWholeAndRealNumbers) {
  EXPECT_EQ(problems_with(good + "stop = { time = 3, steps = 4.0 }"), Lines());
  EXPECT_EQ(problems_with(good + "stop = { steps = 4.5 }"),
            (Lines{"3: stop.steps: expected a whole number, got 4.5; allowed: 0 .. 1e+15"}));
  EXPECT_EQ(problems_with(good + "stop = { steps = '4' }"),
            (Lines{"3: stop.steps: expected a whole number, got text \"4\"; allowed: 0 .. 1e+15"}));
}

TEST(Reader, RefusesTextThatIsNotUtf8) {
  EXPECT_EQ(problems_with(good + "title = 'a\\xff'"),
            (Lines{"3: title: is not UTF-8; save the file with this encoding"}));
  EXPECT_EQ(problems_with(good + "title = 'Hénon, 10 µm, 星'"), Lines());
}

TEST(Reader, SortsProblemsByLineAndKeepsThoseOfSettingsFirst) {
  const SceneText scene(
      "return {\n  stop = { tim = 1 },\n  bodies = {},\n  gravity = { soft = 1 },\n  titel = 1,\n"
      "  integrator = { dt = 0 },\n}");
  Lines starts;
  for (const std::string& line : scene.problems({{"gravity.constant", "-1"}}))
    starts.push_back(line.substr(0, line.find(": ")));
  EXPECT_EQ(starts, (Lines{"--set gravity.constant", "2", "3", "4", "5", "6"}));
}

TEST(Reader, ReportsErrorsOfScriptsAtTheirLineWhateverThePath) {
  // Lua itself shortens long paths.
  const test::TemporaryFolder folder;
  const auto file = folder.path() / std::string(80, 'p') / "scene.lua";
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << "\nlocal x = nothing.at_all";
  try {
    read_scene(file);
    FAIL() << "no error";
  } catch (const engine::InputError& error) {
    EXPECT_EQ(error.what(), file.string() + ":2: 'nothing' is not defined: attempt to index it");
  }
}

TEST(Reader, SkipsTheByteOrderMark) {
  EXPECT_EQ(SceneText("\xEF\xBB\xBFreturn { bodies = { { mass = 1, position = { 0, 0, 0 } } }, "
                      "integrator = { dt = 1 } }")
                .problems(),
            Lines());
  EXPECT_EQ(SceneText("\xEF\xBB\xBF{ \"bodies\": [{ \"mass\": 1, \"position\": [0, 0, 0] }],\n "
                      "\"integrator\": { \"dt\": 0 } }",
                      ".json")
                .problems(),
            (Lines{"2: integrator.dt: 0 is out of range; allowed: > 0 in units of time"}));
}

TEST(Reader, EndsWithTablesThatNestOrRepeatWithoutEnd) {
  EXPECT_EQ(problems_with(good + "view = (function() local t = {} t.camera = t return t end)()"),
            (Lines{"3: view.camera: expected a table, got a table that contains itself"}));
  // 2^40 values out of 40 tables.
  const Lines problems = problems_with(
      good +
      "view = (function() local t = { 1 } for i = 1, 40 do t = { t, t } end return t end)()");
  ASSERT_EQ(problems.size(), 1u);
  const std::string deep(200'000, '[');
  EXPECT_FALSE(SceneText(R"({"bodies": )" + deep + std::string(200'000, ']') + "}", ".json")
                   .problems()
                   .empty());
}

TEST(Reader, ReadsJsonNumbersBeyond64Bits) {
  EXPECT_EQ(
      SceneText("{ \"integrator\": { \"dt\": 1 }, \"seed\": 18446744073709551615,\n\"bodies\": [{ "
                "\"mass\": 1, \"position\": [0, 0, 0] }] }",
                ".json")
          .problems(),
      (Lines{"1: seed: expected a whole number, got 18446744073709551616; allowed: 0 .. "
             "9007199254740992, default 1"}));
  EXPECT_EQ(SceneText("{ \"seed\": 1e999 }", ".json").problems(),
            (Lines{"holds a number beyond the range of double precision"}));
  EXPECT_EQ(SceneText("[1, 2]", ".json").problems(),
            (Lines{"holds a list instead of an object; a scene is { \"bodies\": [ ... ], ... }"}));
  EXPECT_EQ(SceneText("3", ".json").problems(),
            (Lines{"holds 3 instead of an object; a scene is { \"bodies\": [ ... ], ... }"}));
}

TEST(Reader, SettingsOfTheCommandLineOverrideTheFirstItem) {
  const SceneText scene(
      "return { integrator = { \"yoshida4\", dt = 1 }, bodies = { { mass = 1, position = { 0, 0, 0 "
      "} } } }");
  EXPECT_EQ(scene.read().integrator.name, "yoshida4");
  EXPECT_EQ(scene.read({{"integrator.name", "leapfrog"}}).integrator.name, "leapfrog");
}

}  // namespace
}  // namespace mote::sim
