// Hooks as a scene describes them.
#include "sim/source/hooks.h"
#include "engine/json.h"

#include <gtest/gtest.h>

#include "tests/sim/scene/scene_text.h"

namespace mote::sim {
namespace {

std::string hooked(const std::string& hooks) {
  return "return { integrator = { dt = 0.1 }, bodies = { { mass = 1, position = { 0, 0, 0 } } "
         "},\n" +
         hooks + "}";
}

TEST(SceneHooks, AreReadInTheirOrderAndAreNoData) {
  const SceneDescription read = SceneText(hooked(R"(
    on_unhealthy = function(sim) end,
    on_time = { { at = { 2.5, 1, 1 }, run = function(sim) end }, { every = 3, run = function(sim) end } },
    on_step = { every = 100.0, run = function(sim) end },
    on_start = function(sim) end)"))
                                    .read();
  EXPECT_EQ(
      engine::json_text(hooks_json(read.hooks)),
      R"([{"hook":"on_start"},{"hook":"on_step","every":100},{"hook":"on_time.1","at":[1.0,2.5]},)"
      R"({"hook":"on_time.2","every":3.0},{"hook":"on_unhealthy"}])");
  EXPECT_TRUE(read.hooks.script);
  const SceneDescription plain = SceneText(hooked("")).read();
  EXPECT_EQ(*read.expanded, *plain.expanded);
  EXPECT_TRUE(plain.hooks.empty());
  EXPECT_FALSE(plain.hooks.script) << "no interpreter is kept without hooks";
}

TEST(SceneHooks, AreRefusedWithTheirLinesAllAtOnce) {
  EXPECT_EQ(SceneText(hooked(R"(on_start = 3,
on_end = tostring,
on_step = {
  { every = 0, run = function(sim) end },
  { run = function(sim) end },
  { every = 2 },
  { every = 2, rum = 1, run = 7 },
  5,
},
on_time = {
  { run = function(sim) end },
  { every = 1, at = 2, run = function(sim) end },
  { at = { 1, -1 }, run = function(sim) end },
  { at = {}, run = function(sim) end },
  { every = -1, run = function(sim) end }, { every = "1 s", run = function(sim) end },
  twice = 3,
},
on_stp = 3)"))
                .problems(),
            (Lines{
                "2: on_start: expected a function, function(sim) ... end, got 3",
                "3: on_end: expected a function, function(sim) ... end, got a built-in function",
                "5: on_step.1.every: 0 is out of range; allowed: 1 .. 1e+15",
                "6: on_step.2.every: is missing; steps between calls (a whole number, "
                "allowed: 1 .. "
                "1e+15)",
                "7: on_step.3.run: is missing; { every = 100, run = function(sim) ... end }",
                "8: on_step.4.rum: unknown key; did you mean 'run'?",
                "8: on_step.4.run: expected a function, function(sim) ... end, got 7",
                "9: on_step.5: expected { every = 100, run = function(sim) ... end }, got 5",
                "12: on_time.1: has neither `every` nor `at`; { every = 0.5, run = function(sim) "
                "... end }",
                "13: on_time.2.at: conflicts with `every`; keep one",
                "14: on_time.3.at: expected times from 0 on, at = { 1, 2.5 }, got -1",
                "15: on_time.4.at: is empty; times from 0 on, at = { 1, 2.5 }",
                "16: on_time.5.every: -1 is out of range; allowed: > 0 in units of time",
                "16: on_time.6.every: expected a number, got text \"1 s\"; times of hooks are "
                "numbers in the "
                "scene's unit of "
                "time",
                "17: on_time.twice: is a named key in a list of hooks; write a list of { every = "
                "0.5, run = "
                "function(sim) ... end }",
                "19: on_stp: unknown key; did you mean 'on_step'?",
            }));
}

TEST(SceneHooks, AreNotForJson) {
  const std::string rest =
      R"("integrator": { "dt": 0.1 }, "bodies": [ { "mass": 1, "position": [ 0, 0, 0 ] } ] })";
  EXPECT_EQ(SceneText("{ \"on_step\": { \"every\": 1 }, " + rest, ".json").problems(),
            (Lines{"1: on_step: a scene in JSON has no functions; write the scene in Lua"}));
  EXPECT_TRUE(SceneText("{ \"hooks\": [ { \"hook\": \"on_start\" } ], " + rest, ".json")
                  .read()
                  .hooks.empty());
}

}  // namespace
}  // namespace mote::sim
