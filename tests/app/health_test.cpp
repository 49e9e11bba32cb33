// What a run says that breaks, and what it leaves.
#include <gtest/gtest.h>

#include "tests/app/program.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

class HealthReport : public testing::Test {
 protected:
  const fs::path& here() const { return folder_.path(); }

  Result run_scene(const std::string& limits, const std::string& bodies, double dt) const {
    write(here() / "a.lua",
          "return { gravity = { softening = 0 }, integrator = { dt = " + std::to_string(dt) +
              " }, stop = { steps = 3000 }, health = {" + limits + "}, bodies = {" + bodies + "} }");
    return mote(here(), {"run", "a.lua", "--out", "a", "--backend", "cpu"});
  }

 private:
  TemporaryFolder folder_;
};

const std::string loose_pair =
    "{ name = 'sun', mass = 1, position = { 0, 0, 0 } }, { name = 'comet', mass = 0, position = { 1, 0, 0 }, "
    "velocity = { 0, 2, 0 } }, { name = 'planet', mass = 0, position = { 0, -2, 0 }, velocity = { 0.5, 0, 0 "
    "} }";

// A comet of twice the circular velocity is unbound: it passes any radius.
TEST_F(HealthReport, NamesTheBodyThatEscapes) {
  const Result result = run_scene("escape_radius = 3", loose_pair, 0.01);
  EXPECT_EQ(result.code, 3);
  EXPECT_NE(
      result.err.find(
          "body 1 (comet) is further from the centre of mass than the scene's escape_radius 3 at step "),
      std::string::npos)
      << result.err;
  EXPECT_NE(result.err.find("if it may, set a larger health.escape_radius"), std::string::npos) << result.err;
  const engine::Json record = json_of(here() / "a/run.json");
  EXPECT_EQ(record.at("status"), "unhealthy");
  EXPECT_EQ(record.at("checkpoint"), "checkpoints/checkpoint_000000000000.h5") << "the last good state kept";
  const auto rows = lines_of(text_of(here() / "a/offenders.csv"));
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0], "neighbourhood_of,id,name,distance,mass,x,y,z,vx,vy,vz,ax,ay,az");
  EXPECT_EQ(rows[1].substr(0, 12), "1,1,comet,0,");
  EXPECT_EQ(rows[2].substr(0, 6), "1,0,su") << "the sun is nearer than the planet";
}

TEST_F(HealthReport, LetsBodiesBeThatStayInside) {
  EXPECT_EQ(run_scene("escape_radius = 1e6", loose_pair, 0.01).code, 0);
}

// Two bodies of mass 1/2 at distance 1/10 circle each other in 2 pi / sqrt(1000) = 0.2: in 4 steps of 0.05.
TEST_F(HealthReport, NamesAnEncounterThatStepsAreTooLargeFor) {
  const std::string pair =
      "{ mass = 0.5, position = { 0, 0, 0 }, velocity = { 0, -1.58, 0 } }, "
      "{ mass = 0.5, position = { 0.1, 0, 0 }, velocity = { 0, 1.58, 0 } }, { mass = 0, position = { 50, 0, "
      "0 } }";
  const Result large = run_scene("energy_error = 0.01", pair, 0.05);
  EXPECT_EQ(large.code, 3);
  EXPECT_NE(large.err.find(
                "bodies 0 and 1 were 0.1 apart at step 0, where they circle each other in 0.199: steps of "
                "0.05 are too large for that; a dt of 0.0083 or a larger softening would do"),
            std::string::npos)
      << large.err;
  EXPECT_NE(json_of(here() / "a/run.json").at("warning").get<std::string>().find("bodies 0 and 1"),
            std::string::npos);
  fs::remove_all(here() / "a");
  const Result small = run_scene("energy_error = 0.01", pair, 0.001);
  EXPECT_EQ(small.code, 0) << small.err;
  EXPECT_EQ(small.err, "");
}

TEST_F(HealthReport, LeavesACheckpointFromWhichASmallerStepGoesOn) {
  const std::string pair =
      "{ mass = 0.5, position = { 0, 0, 0 }, velocity = { 0, -1.58, 0 } }, "
      "{ mass = 0.5, position = { 0.1, 0, 0 }, velocity = { 0, 1.58, 0 } }";
  ASSERT_EQ(run_scene("energy_error = 0.01", pair, 0.05).code, 3);
  const Result again = mote(here(), {"resume", "a", "--quiet"});
  EXPECT_EQ(again.code, 3) << "nothing was changed";
  const Result result = mote(here(), {"resume", "a", "--set", "integrator.dt=0.001", "--steps", "500"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(json_of(here() / "a/run.json").at("status"), "done");
}

}  // namespace
}  // namespace mote::test
