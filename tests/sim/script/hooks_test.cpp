// Hooks: when they are called, what they can read and do, and that they are reproducible.
#include "sim/script/hooks.h"
#include "engine/json.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "tests/sim/script/hooked_run.h"

namespace mote::test {
namespace {

using engine::Json;
using Kind = sim::HookVerdict::Kind;

class Hooks : public OnEveryBackend {
 protected:
  static HookedRun make(const std::string& hooks, const std::string& before = "") {
    return HookedRun(scene_of(hooked_text(hooks, before)), GetParam());
  }
  /// The error of an on_step function with this body, without the folder of the scene.
  static std::string failure(const std::string& body, const std::string& before = "") {
    HookedRun run = make("on_step = { every = 1, run = function(sim)\n" + body + " end },", before);
    run.to(3);
    EXPECT_EQ(run.hooks().verdict().kind, Kind::fail) << body;
    const std::string& reason = run.hooks().verdict().reason;
    const auto file = reason.find("scene.lua");
    return file == std::string::npos ? reason : reason.substr(file);
  }
};
MOTE_ON_EVERY_BACKEND(Hooks);

const char* const scheduled = R"(
  on_start = function(sim) sim:row("start", { t = sim.time }) end,
  on_step = { { every = 4, run = function(sim) sim:row("four", { t = sim.time }) end },
              { every = 6, run = function(sim) sim:row("six", { t = sim.time }) end } },
  on_time = { { every = 0.125, run = function(sim) sim:row("eighth", { t = sim.time }) end },
              { at = { 0.2, 0, 0.0625 }, run = function(sim) sim:row("at", { t = sim.time }) end } },
  on_end = function(sim) sim:row("end", { t = sim.time }) end,
  on_unhealthy = function(sim) sim:row("unhealthy", { t = sim.time }) end,
)";

// 0.2 is 12.8 steps of 1/64: the first step at or after it is the 13th.
TEST_P(Hooks, RunWhenTheyAreDueInTheOrderOfTheScene) {
  HookedRun run = make(scheduled);
  run.to(16).hooks().end(true);
  EXPECT_EQ(run.all(),
            "start@0 t=0; at@0 t=0; four@4 t=0.0625; at@4 t=0.0625; six@6 t=0.09375; four@8 "
            "t=0.125; eighth@8 "
            "t=0.125; four@12 t=0.1875; six@12 t=0.1875; at@13 t=0.203125; four@16 t=0.25; "
            "eighth@16 t=0.25; "
            "end@16 t=0.25");
  HookedRun bad = make(scheduled);
  bad.to(2).hooks().end(false);
  EXPECT_EQ(bad.all(), "start@0 t=0; at@0 t=0; unhealthy@2 t=0.03125");
}

TEST_P(Hooks, DoNotDependOnHowStepsAreSliced) {
  const std::string whole = make(scheduled).to(30).all();
  for (const std::uint64_t slice : {1, 5, 7})
    EXPECT_EQ(make(scheduled).to(30, slice).all(), whole) << slice;
}

// Steps are twice as long from step 8 (t = 0.125) on: 0.25 is 4 of those later, 0.3 is 5.6.
TEST_P(Hooks, FindTheirTimesAfterAChangeOfTheStep) {
  HookedRun run = make(R"(
    on_step = { every = 8, run = function(sim) if sim.step == 8 then sim:set("integrator.dt", 0.03125) end end },
    on_time = { { every = 0.125, run = function(sim) sim:row("eighth", { t = sim.time }) end },
                { at = 0.3, run = function(sim) sim:row("at", { t = sim.time }) end } },)");
  EXPECT_EQ(run.to(16).all(),
            "eighth@8 t=0.125; eighth@12 t=0.25; at@14 t=0.3125; eighth@16 t=0.375");
}

TEST_P(Hooks, ReadThePresentState) {
  HookedRun run = make(R"(
    on_step = { every = 3, run = function(sim)
      sim:row("sums", { kinetic = sim.kinetic, potential = sim.potential, energy = sim.energy,
        energy_error = sim.energy_error, virial_ratio = sim.virial_ratio, mass = sim.mass, fastest = sim.fastest,
        px = sim.momentum[1], ly = sim.angular_momentum[2], cz = sim.center_of_mass[3], radius_50 = sim.radius_50 })
      sim:row("run", { step = nil, n = sim.count, dt = sim.dt, s = sim.step, soft = sim:get("gravity.softening") })
      local b = sim:body("comet")
      sim:row("comet", { id = b.id, name = b.name, m = b.mass, x = b.position[1], vy = b.velocity[2],
                         az = b.acceleration[3], same = sim:body(0).position[1] == b.position[1] })
    end },)");
  run.to(3);
  const sim::Measurement m = run.simulation().measure();
  const sim::BodyState b = run.simulation().body(0);
  const auto text = [](double x) { return engine::text_of(engine::ParamValue(x)); };
  ASSERT_EQ(run.lines().size(), 3u) << run.hooks().verdict().reason;
  EXPECT_EQ(run.lines()[0], "sums@3 cz=" + text(m.center_of_mass.z) + " energy=" + text(m.energy) +
                                " energy_error=" + text(m.energy_error) +
                                " fastest=" + text(m.fastest) + " kinetic=" + text(m.kinetic) +
                                " ly=" + text(m.angular_momentum.y) + " mass=" + text(m.mass) +
                                " potential=" + text(m.potential) + " px=" + text(m.momentum.x) +
                                " radius_50=" + text(m.lagrangian_radii[1]) +
                                " virial_ratio=" + text(m.virial_ratio));
  EXPECT_EQ(run.lines()[1], "run@3 dt=0.015625 n=16 s=3 soft=0.0625");
  EXPECT_EQ(run.lines()[2], "comet@3 az=" + text(b.acceleration.z) +
                                " id=0 m=0 name=\"comet\" same=true vy=" + text(b.velocity.y) +
                                " x=" + text(b.position.x));
}

TEST_P(Hooks, ThatOnlyReadChangeNoBit) {
  HookedRun with =
      make("on_step = { every = 3, run = function(sim) local e = sim.energy sim:body(1) end },");
  HookedRun without = make("");
  EXPECT_EQ(without.hooks().next(), sim::never);
  EXPECT_EQ(with.to(20).simulation().hash(), without.to(20).simulation().hash());
}

TEST_P(Hooks, SetParametersAsEditsDo) {
  HookedRun run = make(R"(
    on_step = { every = 5, run = function(sim)
      local energy = sim.energy
      if sim.step == 5 then sim:set("gravity.softening", 0.25) sim:set("gravity.softening", 0.25) end
      if sim.step == 10 then sim:set("integrator.dt", 0.0078125) end
      sim:row("energy", { jumps = sim.energy > energy })
    end },)");
  run.to(20);
  ASSERT_EQ(run.edits().size(), 2u)
      << "setting the present value is no edit; " << run.hooks().verdict().reason;
  HookedRun plain = make("");
  for (const sim::Edit& e : run.edits()) {
    plain.simulation().advance(e.step - plain.simulation().step(), {});
    sim::LiveSettings live = plain.simulation().live();
    set_live(live, e.path, e.value);
    plain.simulation().change(live);
  }
  plain.simulation().advance(20 - plain.simulation().step(), {});
  EXPECT_EQ(
      run.all(),
      "energy@5 jumps=true; energy@10 jumps=false; energy@15 jumps=false; energy@20 jumps=false")
      << "energies are measured again after a change, and softening makes the potential shallower";
  EXPECT_EQ(run.edits()[0].step, 5u);
  EXPECT_EQ(run.edits()[1].step, 10u);
  EXPECT_EQ(run.simulation().hash(), plain.simulation().hash());
  EXPECT_EQ(run.simulation().measure().energy_error, plain.simulation().measure().energy_error);
  EXPECT_EQ(run.simulation().time(), 10 * 0.015625 + 10 * 0.0078125);
}

const char* const keeping = R"(
  on_start = function(sim) sim.data = { sum = 0, least = math.huge, list = { 1, 2.5, { name = "a" } }, n = 0 } end,
  on_step = { every = 3, run = function(sim)
    local d = sim.data
    d.sum, d.n, d.least = d.sum + sim.energy_error, d.n + 1, math.min(d.least, math.random())
    d.list[#d.list + 1] = math.random(1 << 40)
    sim:row("kept", { sum = d.sum, n = d.n, least = d.least, last = d.list[#d.list], kind = math.type(d.list[1]),
                      a = d.list[3].name })
    if sim.step == 9 then sim:set("gravity.softening", 0.125) end
  end },
  on_time = { every = 0.11, run = function(sim) sim:row("time", { t = sim.time, r = math.random() }) end },
)";

TEST_P(Hooks, GoOnFromACheckpointAsIfTheyHadNeverStopped) {
  const TemporaryFolder folder;
  HookedRun whole = make(keeping);
  whole.to(40);
  for (const std::uint64_t step : {1, 9, 20}) {
    HookedRun first = make(keeping);
    first.to(step).save(folder / "a.h5");
    HookedRun second(sim::read_checkpoint(folder / "a.h5"), GetParam());
    second.to(40);
    EXPECT_EQ(first.all() + (first.lines().empty() ? "" : "; ") + second.all(), whole.all())
        << step;
    EXPECT_EQ(second.simulation().hash(), whole.simulation().hash()) << step;
    EXPECT_EQ(engine::json_text(second.hooks().data()), engine::json_text(whole.hooks().data()))
        << step;
    EXPECT_EQ(second.edits().size(), 1u);
  }
}

TEST_P(Hooks, DrawOtherNumbersInEveryCall) {
  HookedRun run = make(R"(
    on_step = { { every = 1, run = function(sim) sim:row("a", { r = math.random(1 << 50) }) end },
                { every = 1, run = function(sim) sim:row("a", { r = math.random(1 << 50) }) end } },)");
  std::vector<std::string> drawn;
  for (const std::string& line : run.to(10).lines()) drawn.push_back(line.substr(line.find('=')));
  std::sort(drawn.begin(), drawn.end());
  ASSERT_EQ(drawn.size(), 20u);
  EXPECT_EQ(std::unique(drawn.begin(), drawn.end()), drawn.end());
}

// As in a window that rewinds and starts a new branch.
TEST_P(Hooks, RestoreDataOfEarlierSteps) {
  HookedRun run = make(R"(
    on_start = function(sim) sim.data.n = 0 end,
    on_step = { every = 4, run = function(sim) sim.data.n = sim.data.n + 1 sim.data.at = sim.step end },)");
  run.hooks().record_data();
  run.to(20);
  EXPECT_EQ(run.hooks().data(), (Json{{"at", 20}, {"n", 5}}));
  run.hooks().rewind(11);
  EXPECT_EQ(run.hooks().data(), (Json{{"at", 8}, {"n", 2}}));
  run.to(24);
  EXPECT_EQ(run.hooks().data(), (Json{{"at", 24}, {"n", 3}})) << "hooks read restored data";
  run.hooks().rewind(3);
  EXPECT_EQ(run.hooks().data(), (Json{{"n", 0}}));
}

TEST_P(Hooks, StopAndFailWithAReason) {
  HookedRun stopped = make(
      R"(on_step = { { every = 2, run = function(sim) sim:stop("far\nenough") sim:stop("no") end },
                                    { every = 2, run = function(sim) sim:row("after", { x = 1 }) end } },)");
  stopped.to(10);
  EXPECT_EQ(stopped.hooks().verdict().kind, Kind::stop);
  EXPECT_EQ(stopped.hooks().verdict().reason, "far enough");
  EXPECT_EQ(stopped.all(), "after@2 x=1") << "all hooks due at a step run";
  stopped.hooks().clear_verdict();
  EXPECT_EQ(stopped.to(3).simulation().step(), 3u);

  HookedRun failed =
      make(R"(on_step = { every = 2, run = function(sim) sim:stop("s") sim:fail() end },
                       on_unhealthy = function(sim) sim:row("last", { t = sim.time }) end,)");
  failed.to(10).hooks().end(false);
  EXPECT_EQ(failed.hooks().verdict().kind, Kind::fail);
  EXPECT_EQ(failed.hooks().verdict().reason, "requested by the scene");
  EXPECT_EQ(failed.all(), "last@2 t=0.03125");
}

TEST_P(Hooks, ReportFileLineAndRemedyWhenTheyFail) {
  const std::string location = "scene.lua:11: on_step: ";
  for (const auto& [body, message] : std::vector<std::pair<std::string, std::string>>{
           {"local x = nil + 1", "attempt to perform arithmetic on a nil value"},
           {"error('no')", "no"},
           {"return sim.energi", "sim has no \"energi\"; did you mean 'energy'?"},
           {"sim.energy = 3", "sim.energy: cannot be assigned; sim:set changes parameters"},
           {"sim:set('gravity.softening', -1)", "gravity.softening: -1 is out of range"},
           {"sim:set('gravity.softening', '1 pc')", "gravity.softening: \"1 pc\" has a unit, but "},
           {"sim:set('gravity.softening', 'soft')", "gravity.softening: \"soft\" is not a number"},
           {"sim:set('bodies', 1)",
            "bodies: cannot change while the simulation runs; these can: gravity.softening, "},
           {"sim:set('gravity.sofening', 1)",
            "gravity.sofening: cannot change while the simulation runs; did you mean "
            "'gravity.softening'? these can: "},
           {"sim:set('integrator.dt', {})",
            "integrator.dt: expected a number, true, false or text, got a table"},
           {"sim:body(16)", "there is no body 16; ids are 0 to 15"},
           {"sim:body('x')", "there is no body \"x\""},
           {"sim.row('a', { x = 1 })", "expected sim as the first argument: write sim:name(...)"},
           {"sim:row('a', { 1 })", "columns need names, { x = 1, y = 2 }"},
           {"sim:row('a', {})", "a row needs at least one column, { x = 1 }"},
           {"sim:log({})", "expected text, got table"},
           {"count = 1", "'count' cannot be assigned during a run; keep values in sim.data"},
           {"math.pi = 3", "'pi' cannot be assigned during a run; keep values in sim.data"},
           {"units.kpc = 3", "'kpc' cannot be assigned during a run; keep values in sim.data"},
           {"print(1)", "there is no function 'print'; hooks write to the log with sim:log"},
           {"param('n', 3)",
            "param cannot be called in hooks; call it in the scene and use the result"},
           {"while true do end", "the script ran for too long; is there an endless loop?"},
           {"while true do pcall(function() while true do end end) end",
            "the script ran for too long; is there an endless loop?"},
           {"while true do pcall(sim.log, sim, 'x') end",
            "the script ran for too long; is there an endless loop?"}})
    EXPECT_EQ(failure(body).substr(0, (location + message).size()), location + message);
}

TEST_P(Hooks, ReportFileAndHookWhenThereIsNoLine) {
  const std::string location = "scene.lua: on_step: ";
  for (const auto& [body, message] : std::vector<std::pair<std::string, std::string>>{
           {"local s = 'x' while true do s = s .. s end",
            "the script takes more than 256.0 MiB with all that its scene holds"},
           {"sim.data.f = function() end",
            "sim.data.f: holds a function, which cannot be stored; sim.data can hold "},
           {"sim.data.a = sim.data", "sim.data.a.a"},
           {"sim.data[1] = 1 sim.data.x = 2",
            "sim.data: is neither a list nor a table with text keys"},
           {"sim.data.list = { 1, { ('x'):rep(1 << 20) } }",
            "sim.data.list.2.1: sim.data holds more than 1 MiB; write tables to files with "
            "sim:row"},
           {"sim.data.t = 'a\\xff'", "sim.data.t: holds text that is not UTF-8"}})
    EXPECT_EQ(failure(body).substr(0, (location + message).size()), location + message);
}

// A resumed run would have the initial values of everything that is changed here.
TEST_P(Hooks, MayNotChangeWhatTheSceneHolds) {
  const std::string end =
      " of the scene was changed, which checkpoints do not store; keep values in sim.data";
  const std::string assigned = "the local variable 'n' of the scene was assigned";
  for (const auto& [before, body, said] : std::vector<std::array<std::string, 3>>{
           {"local n = 0", "n = n + 1", assigned},
           {"local n = 1", "n = 1.0", assigned},
           {"local n = 0.0", "n = -n", assigned},
           {"local n = 0 local function bump() n = n + 1 end", "bump()", assigned},
           {"local t = { n = 0 }", "t.n = t.n + 1", "t.n"},
           {"local t = { n = 0 }", "t.n = nil", "t.n"},
           {"local t = {}", "t[#t + 1] = sim.step", "t.1"},
           {"local t = { 3, 1, 2 }", "table.sort(t)", "t.1"},
           {"local t = { a = { { b = { 1, 2 } } } }", "t.a[1].b[2] = 3", "t.a.1.b.2"},
           {"local t = { a = { 1 } }", "t.a = { 1 }", "t.a"},
           {"local t = { a = 'x' }", "sim.data.t = t sim.data.t.a = 'y'", "t.a"},
           {"local t = { n = 1 }", "t.n = 1.0", "t.n"},
           {"local t = {} t[t] = t", "t.x = 1", "t.x"},
           {"local function hidden() local t = { 0 } return function() t[1] = t[1] + 1 return t "
            "end end "
            "local f = hidden()",
            "f()", "t.1"},
           {"t = { n = 0 }", "t.n = t.n + 1", "t.n"},
           {"local e = _ENV t = { n = 0 }", "e.t.n = 5", "t.n"},
           {"local t = { f = function() end }", "t.f = function() end", "t.f"},
           {"local step, t = pairs { 1, 2 }", "step(t)", "t.last"}}) {
    const std::string expected =
        "scene.lua: on_step: " + said + (said == assigned ? end.substr(end.find(',')) : end);
    EXPECT_EQ(failure(body, before + " "), expected) << before << " | " << body;
  }
}

TEST_P(Hooks, MayReadAndRestoreWhatTheSceneHolds) {
  HookedRun run = make(R"(on_step = { every = 1, run = function(sim)
      local at = limits[1]
      limits[1] = 5 limits[1] = at
      limits.text = ("most of " .. "all")
      local mine = { limits[1] } mine[1] = 7
      sim:row("a", { n = limits[1], nan = limits.nan ~= limits.nan, more = count(), unit = units.kpc(1) })
    end },)",
                       "local limits = { 3, nan = 0 / 0, text = 'most of all', deep = { { 1 } } } "
                       "local function count() return #limits.deep end ");
  EXPECT_EQ(run.to(2).all(),
            "a@1 more=1 n=3 nan=true unit=\"1 kpc\"; a@2 more=1 n=3 nan=true unit=\"1 kpc\"")
      << run.hooks().verdict().reason;
}

// The limit is 10^7 instructions, and four bytes count as one: a call with 2,000 bytes as about
// 600.
TEST_P(Hooks, AreLimitedInTheBytesThatTheyWrite) {
  for (const char* call : {"sim:row('a', { s = s })", "sim:log(s)"}) {
    HookedRun run = make(
        std::string("on_step = { every = 1, run = function(sim)\nlocal s = ('x'):rep(2000)\n") +
        "for i = 1, 1000000 do " + call + " end end },");
    run.to(1);
    std::size_t bytes = 0;
    for (const std::string& line : run.lines()) bytes += line.size();
    EXPECT_LT(bytes, 4u * 10'000'000) << call;
    EXPECT_NE(run.hooks().verdict().reason.find("the script ran for too long"), std::string::npos)
        << call;
  }
  HookedRun once = make(
      "on_step = { every = 1, run = function(sim)\nlocal s = ('x'):rep(8000000)\n"
      "for i = 1, 10 do sim:row('a', { s = s }) end end },");
  once.to(1);
  EXPECT_LE(once.lines().size(), 6u) << "ends at the call that exceeds the limit";
}

TEST_P(Hooks, CannotSetParametersAfterTheRun) {
  HookedRun run = make("on_end = function(sim) sim:set('gravity.softening', 1) end,");
  run.to(2).hooks().end(true);
  EXPECT_NE(run.hooks().verdict().reason.find("parameters cannot be set after the run"),
            std::string::npos)
      << run.hooks().verdict().reason;
}

TEST_P(Hooks, CanCatchErrors) {
  HookedRun run = make(R"(on_step = { every = 1, run = function(sim)
    local good, message = pcall(function() sim:set("gravity.softening", -1) end)
    sim:row("a", { good = good, said = message })
  end },)");
  EXPECT_TRUE(run.to(1).all().starts_with(
      "a@1 good=false said=\"scene:11: gravity.softening: -1 is out of range"))
      << run.all();
}

}  // namespace
}  // namespace mote::test
