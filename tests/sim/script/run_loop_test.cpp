// The loop of every run: the order of events, repeated edits, and what ends it.
#include "sim/script/run_loop.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/json.h"
#include "sim/history/history.h"
#include "tests/sim/script/hooked_run.h"

namespace mote::test {
namespace {

/// Records the calls as lines.
class Listener : public sim::RunHost {
 public:
  explicit Listener(std::uint64_t every = sim::never) : every_(every) {}
  std::uint64_t next_due(const sim::Clock& ahead) override {
    return every_ == sim::never ? sim::never : (ahead.step / every_ + 1) * every_;
  }
  bool on_measurement(const sim::Measurement& m) override {
    lines.push_back("row " + std::to_string(m.step));
    return true;
  }
  void on_steps(const sim::StepReport& report) override {
    steps += report.steps;
    if (every_ != sim::never && steps % every_ == 0)
      lines.push_back("due " + std::to_string(steps));
  }
  void on_ready(bool changed) override {
    if (changed) lines.push_back("changed");
  }
  void on_edit(const sim::Edit& edit) override {
    lines.push_back("edit " + std::to_string(edit.step) + " " + engine::text_of(edit.value));
  }
  void on_discard(std::uint64_t step) override {
    lines.push_back("discard " + std::to_string(step));
  }
  void row(const std::string& name, const sim::HookRow&) override {
    lines.push_back("hook " + name);
  }
  std::string text() const {
    std::string all;
    for (const std::string& line : lines) all += (all.empty() ? "" : "; ") + line;
    return all;
  }
  std::vector<std::string> lines;
  std::uint64_t steps = 0;

 private:
  std::uint64_t every_;
};

class RunLoops : public OnEveryBackend {
 protected:
  static std::unique_ptr<sim::Simulation> opened(const sim::SceneDescription& scene) {
    return sim::open_simulation(
        scene,
        sim::make_plan(
            scene, {.backend = GetParam(), .precision = engine::Precision::double_, .threads = 1}));
  }
};
MOTE_ON_EVERY_BACKEND(RunLoops);

const char* const changing = R"(
  on_step = { every = 4, run = function(sim)
    sim:row("four", { t = sim.time })
    if sim.step == 4 then sim:set("gravity.softening", 0.125) end
  end },
)";

// A row and the outputs of a step show the state before hooks and edits change it.
TEST_P(RunLoops, WriteTheOutputsOfAStepBeforeHooksAndThoseBeforeRepeatedEdits) {
  const sim::SceneDescription scene = scene_of(hooked_text(changing));
  const auto simulation = opened(scene);
  sim::RepeatedEdits steps(*simulation, {},
                           {{4, "gravity.softening", 0.25}, {6, "gravity.softening", 0.5}});
  Listener host(4);
  sim::RunLoop loop(scene, *simulation, steps, host, nullptr, sim::EnergyHealth(scene));
  loop.start();
  loop.advance([] { return 8; }, 2, {});
  EXPECT_EQ(simulation->step(), 8u);
  EXPECT_EQ(host.text(),
            "row 2; row 4; due 4; hook four; edit 4 0.125; edit 4 0.25; changed; row 6; "
            "edit 6 0.5; changed; row 8; due 8; hook four");
  EXPECT_EQ(steps.edits_so_far().size(), 3u);
}

// A replay has the record of what hooks did, which they do again by themselves.
TEST_P(RunLoops, DropTheRecordOfAnEditThatAHookMakesAgain) {
  const sim::SceneDescription scene = scene_of(hooked_text(changing));
  const auto simulation = opened(scene);
  sim::RepeatedEdits steps(*simulation, {},
                           {{4, "gravity.softening", 0.125}, {6, "gravity.softening", 0.5}});
  Listener host;
  sim::RunLoop loop(scene, *simulation, steps, host, nullptr, sim::EnergyHealth(scene));
  loop.start();
  loop.advance([] { return 8; }, 0, {});
  EXPECT_EQ(host.text(), "hook four; edit 4 0.125; changed; edit 6 0.5; changed; hook four");
}

TEST_P(RunLoops, GoOnFromWhereverTheyWereInterrupted) {
  const sim::SceneDescription scene = scene_of(hooked_text(changing));
  std::vector<std::string> texts;
  std::vector<std::uint64_t> hashes;
  for (const std::uint64_t slice : {sim::never, std::uint64_t{1}, std::uint64_t{3}}) {
    const auto simulation = opened(scene);
    sim::RepeatedEdits steps(*simulation, {}, {{6, "gravity.softening", 0.5}});
    Listener host;
    sim::RunLoop loop(scene, *simulation, steps, host, nullptr, sim::EnergyHealth(scene));
    loop.start();
    while (simulation->step() < 20) {
      const std::uint64_t end =
          slice == sim::never ? 20 : std::min<std::uint64_t>(20, simulation->step() + slice);
      loop.advance([end] { return end; }, 2, {});
    }
    texts.push_back(host.text());
    hashes.push_back(simulation->hash());
  }
  EXPECT_EQ(texts[1], texts[0]);
  EXPECT_EQ(texts[2], texts[0]);
  EXPECT_EQ(hashes[1], hashes[0]);
  EXPECT_EQ(hashes[2], hashes[0]);
}

// The comet is farther away than the cluster.
TEST_P(RunLoops, EndAtTheMeasurementThatShowsAnEscapeAndGoOnOnceItIsKnown) {
  const sim::SceneDescription scene = scene_of(R"(
    return { gravity = { softening = 0.1 }, integrator = { "leapfrog", dt = 0.015625 },
      health = { escape_radius = 2.5 },
      bodies = { { name = "comet", mass = 0, position = { 3, 0, 0 } },
                 { mass = 1, position = { 0, 0, 0 } } } })");
  const auto simulation = opened(scene);
  sim::RepeatedEdits steps(*simulation);
  Listener host;
  sim::RunLoop loop(scene, *simulation, steps, host, nullptr, sim::EnergyHealth(scene));
  loop.start();
  loop.advance([] { return 20; }, 4, {});
  EXPECT_EQ(simulation->step(), 4u);  // no step past the row, on a GPU neither
  EXPECT_TRUE(loop.ended());
  EXPECT_TRUE(has(loop.health(), sim::Health::escaped));
  EXPECT_EQ(loop.offender(), 0);
  EXPECT_NE(loop.reason().find("body 0 (comet) is farther from the centre of mass than the scene's "
                               "escape_radius 2.5 at step 4"),
            std::string::npos)
      << loop.reason();
  loop.clear();
  loop.advance([] { return 20; }, 4, {});
  EXPECT_EQ(simulation->step(), 20u);
  EXPECT_FALSE(loop.ended());
}

TEST_P(RunLoops, SayWhichBodyIsNotFiniteAndCallNoHookAfterIt) {
  const sim::SceneDescription scene = scene_of(R"(
    return { integrator = { "leapfrog", dt = 1 },
      bodies = { { mass = 1, position = { 0, 0, 0 }, velocity = { 6e307, 0, 0 }, name = "dart" } },
      on_step = { every = 1, run = function(sim) sim:row("one", { t = sim.time }) end } })");
  const auto simulation = opened(scene);
  sim::RepeatedEdits steps(*simulation);
  Listener host;
  sim::RunLoop loop(scene, *simulation, steps, host, nullptr, sim::EnergyHealth(scene));
  loop.start();
  loop.advance([] { return 20; }, 0, {});
  // 2^1024 is 1.8e308: two steps are finite, the third is not.
  EXPECT_EQ(host.text(), "hook one; hook one");
  EXPECT_NE(loop.reason().find("body 0 (dart) is no longer finite at step 3, t = 3"),
            std::string::npos)
      << loop.reason();
}

// With a past: hooks do not run again where they have run, and what they find is discarded with it.
TEST_P(RunLoops, CallHooksForNewStepsOnly) {
  const sim::SceneDescription scene = scene_of(hooked_text(R"(
    on_step = { every = 4, run = function(sim) sim:row("four", { t = sim.time }) end },)"));
  const auto simulation = opened(scene);
  sim::History history(*simulation, 1 << 20, {}, 1);
  Listener host;
  sim::RunLoop loop(scene, *simulation, history, host, nullptr, sim::EnergyHealth(scene));
  loop.start();
  loop.advance([] { return 8; }, 0, {});
  EXPECT_TRUE(history.seek(2, {}));
  loop.advance([] { return 12; }, 0, {});
  EXPECT_EQ(host.text(), "hook four; hook four; hook four");
  EXPECT_TRUE(history.seek(6, {}));
  history.edit("gravity.softening", 0.5);
  loop.note_discarded(6);
  loop.advance([] { return 12; }, 0, {});
  EXPECT_EQ(host.text(), "hook four; hook four; hook four; discard 6; hook four; hook four");
}

// A window goes on after an escape: the hook that was due at that step must not be lost.
TEST_P(RunLoops, RunTheHooksOfAStepThatEndedThemOnceTheyGoOn) {
  const sim::SceneDescription scene = scene_of(R"(
    return { gravity = { softening = 0.1 }, integrator = { "leapfrog", dt = 0.015625 },
      health = { escape_radius = 2.5 },
      bodies = { { mass = 0, position = { 3, 0, 0 } }, { mass = 1, position = { 0, 0, 0 } } },
      on_step = { every = 4, run = function(sim) sim:row("four", { t = sim.time }) end } })");
  const auto simulation = opened(scene);
  sim::RepeatedEdits steps(*simulation);
  Listener host;
  sim::RunLoop loop(scene, *simulation, steps, host, nullptr, sim::EnergyHealth(scene));
  loop.start();
  loop.advance([] { return 8; }, 4, {});
  EXPECT_EQ(host.text(), "row 4");
  loop.clear();
  loop.advance([] { return 8; }, 4, {});
  EXPECT_EQ(host.text(), "row 4; hook four; row 8; hook four");
}

// The hooks of the step of a checkpoint have run before it was written.
TEST_P(RunLoops, RunNoHookForAnEditAtTheStepOfACheckpoint) {
  const sim::SceneDescription scene = scene_of(hooked_text(changing));
  const auto simulation = opened(scene);
  simulation->advance(4, {});
  sim::RepeatedEdits steps(*simulation, {}, {{4, "gravity.softening", 0.25}});
  Listener host;
  sim::RunLoop loop(scene, *simulation, steps, host, nullptr, sim::EnergyHealth(scene));
  loop.advance([] { return 6; }, 0, {});
  EXPECT_EQ(host.text(), "edit 4 0.25; changed");
  EXPECT_EQ(simulation->step(), 6u);
}

}  // namespace
}  // namespace mote::test
