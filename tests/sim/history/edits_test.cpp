#include "sim/history/edits.h"

#include <gtest/gtest.h>

#include "engine/check.h"
#include "engine/json.h"
#include "sim/scene/read_scene.h"
#include "sim/schedule.h"
#include "tests/support/temporary_folder.h"

namespace mote::test {
namespace {

using engine::Json;
using sim::Edit;

sim::LiveSettings live() {
  return sim::live_of(sim::read_scene_text("scene.json", R"({
    "gravity": {"softening": 0.1}, "integrator": {"dt": 0.01}, "bodies": [{"mass": 1, "position": [0, 0, 0]}]})"));
}

std::vector<Edit> read(const std::string& text) {
  return sim::read_edits(engine::parse_json(text), "run.json", live());
}

std::string refusal(const std::string& text) {
  return message_of<engine::InputError>([&] { read(text); });
}

TEST(Edits, ReadBackBitForBit) {
  const std::vector<Edit> edits{{0, "gravity.softening", 0.1 + 0.2},
                                {0, "integrator.dt", 1e-300},
                                {(1ull << 53) + 1, "gravity.softening", 0.0}};
  const std::vector<Edit> again = sim::read_edits(
      engine::parse_json(engine::json_text(sim::edits_json(edits))), "run.json", live());
  ASSERT_EQ(again.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(again[k].step, edits[k].step);
    EXPECT_EQ(again[k].path, edits[k].path);
    EXPECT_EQ(again[k].value, edits[k].value);
  }
}

TEST(Edits, TakeWholeNumbersForRealOnes) {
  EXPECT_EQ(
      std::get<double>(read(R"([{"step": 3, "path": "gravity.softening", "value": 1}])")[0].value),
      1.0);
  EXPECT_TRUE(read("[]").empty());
}

TEST(Edits, ReportEveryProblemWithItsLocation) {
  const std::string message = refusal(R"([
    {"step": 9, "path": "gravity.softening", "value": 0.2},
    {"step": 8, "path": "gravity.softening", "value": -1},
    {"step": 9, "path": "gravity.sofening", "value": 1},
    {"step": -1, "path": "integrator.dt"},
    {"step": 10, "path": "integrator.dt", "value": "fast"},
    {"step": 10, "path": "integrator.dt", "value": 0.1, "when": 3},
    7
  ])");
  for (const char* part :
       {"run.json: edits.2.step: 8 is before step 9 of an earlier edit",
        "run.json: edits.2: gravity.softening: ",
        "run.json: edits.3: gravity.sofening: cannot change while the simulation runs",
        "run.json: edits.4.step: expected a whole number >= 0",
        "run.json: edits.4.value: expected a number", "run.json: edits.5: integrator.dt: cannot be",
        "run.json: edits.6.when: unknown key", "run.json: edits.7: expected an object"})
    EXPECT_NE(message.find(part), std::string::npos) << part << "\nin:\n" << message;
  EXPECT_EQ(message.find("edits.1"), std::string::npos) << message;
  EXPECT_EQ(refusal(R"({"step": 1})").substr(0, 35), "run.json: edits: expected a list; a");
}

// 1 in steps of 0.1, then half a unit of time in steps of 0.05, then steps of 1.
TEST(Edits, OfTheStepMoveTheStepOfATime) {
  const std::vector<Edit> edits{
      {5, "gravity.softening", 3.0}, {10, "integrator.dt", 0.05}, {20, "integrator.dt", 1.0}};
  const sim::Clock clock{.dt = 0.1};
  EXPECT_EQ(sim::step_at(0.3, clock, edits), 3u);
  EXPECT_EQ(sim::step_at(1.0, clock, edits), 10u);
  EXPECT_EQ(sim::step_at(1.2, clock, edits), 14u);
  EXPECT_EQ(sim::step_at(1.5, clock, edits), 20u);
  EXPECT_EQ(sim::step_at(2.5, clock, edits), 21u);
  EXPECT_EQ(sim::step_at(1e300, clock, edits), sim::never);
  EXPECT_EQ(sim::step_at(2.5, clock, {}), 25u);
}

}  // namespace
}  // namespace mote::test
