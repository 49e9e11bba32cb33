// Runs that end early: interrupted, or unhealthy.
#include <gtest/gtest.h>

#include <csignal>
#include <cstring>

#include "engine/json.h"
#include "sim/io/snapshot.h"
#include "tests/app/program.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

class Ending : public testing::Test {
 protected:
  const fs::path& here() const { return folder_.path(); }

  void expect_whole_end_after(int signal) const {
    write(here() / "binary.lua", binary_scene);
    Running running({.arguments = {"run", "binary.lua", "--steps", "1000000000000", "--out", "a"},
                     .folder = here()});
    ASSERT_TRUE(appears(here() / "a/run.json", running));
    running.signal(signal);
    const Result result = running.wait();
    EXPECT_EQ(result.code, 130);
    EXPECT_EQ(result.out.substr(0, 12), "interrupted:");
    const engine::Json record = json_of(here() / "a/run.json");
    EXPECT_EQ(record.at("status"), "interrupted");
    EXPECT_EQ(sim::read_snapshot(here() / "a/snapshots/snapshot_0000.h5").count(), 2);
    const auto rows = lines_of(text_of(here() / "a/series.csv"));
    EXPECT_NE(rows.back().find("," + engine::json_text(record.at("steps")) + ","),
              std::string::npos)
        << rows.back();
    EXPECT_EQ(first_partial_file(here() / "a"), "");
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(Ending, ByCtrlCLeavesAWholeRun) {
  expect_whole_end_after(SIGINT);
}

TEST_F(Ending, ByTerminationLeavesAWholeRun) {
  expect_whole_end_after(SIGTERM);
}

TEST_F(Ending, ByASignalOfASchedulerLeavesAWholeRun) {
  for (const int signal : {SIGUSR1, SIGUSR2, SIGXCPU, SIGALRM}) {
    SCOPED_TRACE(strsignal(signal));
    expect_whole_end_after(signal);
    fs::remove_all(here() / "a");
  }
}

// One body passes another at a distance whose cube underflows: the force is infinite at closest
// approach, step 3.
TEST_F(Ending, ByNumbersThatAreNotFiniteNamesBodyStepCauseAndRemedy) {
  write(here() / "hit.lua", R"(return {
  gravity = { softening = 0, constant = 1e-300 },
  integrator = { "leapfrog", dt = 1 },
  bodies = {
    { name = "far", mass = 0, position = { 0, 50, 0 } },
    { name = "target", mass = 1, position = { 0, 0, 0 } },
    { name = "bullet", mass = 1, position = { 3, 1e-110, 0 }, velocity = { -1, 0, 0 } },
  },
  stop = { time = 10 },
}
)");
  const Result result = mote(here(), {"run", "hit.lua", "--out", "a"});
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(
      result.err,
      "mote: unhealthy: body 1 (target) is no longer finite at step 3, t = 3; "
      "likely two bodies collided without softening: set gravity.softening, or a smaller dt\n");
  EXPECT_EQ(result.out.substr(0, 10), "unhealthy:");
  const engine::Json record = json_of(here() / "a/run.json");
  EXPECT_EQ(record.at("status"), "unhealthy");
  EXPECT_EQ(record.at("steps"), 3);
  EXPECT_NE(text_of(here() / "a/log.txt").find("body 1 (target)"), std::string::npos);
  EXPECT_EQ(first_partial_file(here() / "a"), "");
  const Result data = mote(here(), {"run", "hit.lua", "--out", "b", "--json"});
  EXPECT_EQ(data.code, 3);
  EXPECT_EQ(engine::parse_json(data.out).at("event"), "unhealthy");
  EXPECT_NE(engine::parse_json(data.out).at("problem").get<std::string>().find("body 1 (target)"),
            std::string::npos);
}

TEST_F(Ending, ByEnergyDriftNamesTheLimit) {
  write(here() / "drift.lua", R"(return {
  gravity = { softening = 0 },
  integrator = { "leapfrog", dt = 0.3 },
  bodies = {
    { mass = 1, position = { 0, 0, 0 } },
    { mass = 0, position = { 1, 0, 0 }, velocity = { 0, 0.5, 0 } },
    { mass = 1e-6, position = { 0, 1, 0 }, velocity = { 0.5, 0, 0 } },
  },
  health = { energy_error = 1e-3 },
  stop = { steps = 100 },
}
)");
  const Result result = mote(here(), {"run", "drift.lua", "--out", "a", "--quiet"});
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(result.out, "");
  const engine::Json record = json_of(here() / "a/run.json");
  EXPECT_EQ(record.at("status"), "unhealthy");
  EXPECT_GT(std::abs(record.at("last").at("energy_error").get<double>()), 1e-3);
  EXPECT_NE(result.err.find("passed the scene's limit 0.001 at step " +
                            engine::json_text(record.at("steps"))),
            std::string::npos)
      << result.err;
  EXPECT_NE(result.err.find("a smaller dt or a larger softening may help"), std::string::npos)
      << result.err;
}

// Rows every 1,000 steps in a run of 40: only the row of the final state can reveal the violation.
TEST_F(Ending, ByEnergyDriftIsSeenInTheLastRowToo) {
  write(here() / "drift.lua", R"(return {
  gravity = { softening = 0 },
  integrator = { "leapfrog", dt = 0.3 },
  bodies = {
    { mass = 1, position = { 0, 0, 0 } },
    { mass = 1e-6, position = { 0, 1, 0 }, velocity = { 0.5, 0, 0 } },
  },
  health = { energy_error = 1e-6 },
  series = { steps = 1000 },
  stop = { steps = 40 },
}
)");
  EXPECT_EQ(mote(here(), {"run", "drift.lua", "--out", "a"}).code, 3);
  EXPECT_EQ(json_of(here() / "a/run.json").at("status"), "unhealthy");
}

}  // namespace
}  // namespace mote::test
