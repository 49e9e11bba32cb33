// mote info and mote plot of the folder of a sweep.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/json.h"
#include "tests/app/sweep_support.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

/// Results of two values of eps and two of kind; one run has failed.
const char* const results =
    "job,status,reason,seed,eps,kind,time,step,energy_error,state_hash,folder,data.calls\n"
    "1,done,,7,0.1,soft,1,9,1,12,runs/0001,4\n"
    "2,done,,8,0.1,soft,1,9,2,1f,runs/0002,4\n"
    "3,done,\"stopped, at\nlast\",9,0.1,hard,1,9,3,10,runs/0003,4\n"
    "4,done,,1,0.2,hard,1,9,10,10,runs/0004,4\n"
    "5,done,,2,0.2,soft,1,9,20,10,runs/0005,\n"
    "6,failed,\"no \"\"luck\"\"\",3,0.2,soft,,,,,runs/0006,\n";

class SweepSummary : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(here() / "s/runs");
    write(here() / "s/jobs.json", "{}");
    write(here() / "s/results.csv", results);
    write(here() / "s/results.units.json", R"({ "eps": "pc" })");
  }
  const fs::path& here() const { return folder_.path(); }
  void skip_without_pictures() const {
    if (mote(here(), {"doctor"}).out.find("-DMOTE_RENDER=OFF") != std::string::npos)
      GTEST_SKIP() << "this build draws no pictures";
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(SweepSummary, HasMeansAndDeviationsOverRepeats) {
  const Result text = mote(here(), {"info", "s"});
  ASSERT_EQ(text.code, 0) << text.err;
  EXPECT_EQ(
      lines_of(text.out),
      (std::vector<std::string>{
          "s: sweep of eps, kind; 5 done, 1 failed",
          "  eps [pc]  kind  runs  energy_error  data.calls",
          "  0.1       soft  2     1.5 +- 0.71   4 +- 0", "  0.1       hard  1     3             4",
          "  0.2       hard  1     10            4", "  0.2       soft  1     20            -"}));
  const engine::Json json = engine::parse_json(mote(here(), {"info", "s", "--json"}).out);
  EXPECT_EQ(json.at("kind"), "sweep");
  EXPECT_EQ(json.at("units").at("eps"), "pc");
  EXPECT_EQ(json.at("points").size(), 4u);
  const engine::Json& first = json.at("points").at(0);
  EXPECT_EQ(first.at("set"), (engine::Json{{"eps", "0.1"}, {"kind", "soft"}}));
  EXPECT_EQ(first.at("columns").at("energy_error").at("mean"), 1.5);
  EXPECT_EQ(first.at("columns").at("energy_error").at("deviation"), std::sqrt(0.5));
  EXPECT_FALSE(first.at("columns").contains("state_hash"));
}

// Errors of either sign cancel in their mean, which is no measure of their size.
TEST_F(SweepSummary, PlotsTheSizesOfErrorsOfEitherSign) {
  write(here() / "s/results.csv",
        "job,status,reason,seed,eps,time,energy_error,state_hash,folder\n"
        "1,done,,1,0.1,1,1e-3,a,runs/1\n2,done,,2,0.1,1,-1e-3,b,runs/2\n"
        "3,done,,1,0.2,1,3e-6,c,runs/3\n4,done,,2,0.2,1,1e-6,d,runs/4\n");
  const engine::Json json = engine::parse_json(mote(here(), {"info", "s", "--json"}).out);
  const engine::Json& errors = json.at("points").at(0).at("columns").at("energy_error");
  EXPECT_EQ(errors.at("mean"), 0);
  EXPECT_EQ(errors.at("mean_magnitude"), 1e-3);
  skip_without_pictures();
  ASSERT_EQ(mote(here(), {"plot", "s", "-o", "p.svg", "--what", "energy_error"}).code, 0);
  // A mean of 0 has no place on a logarithmic axis.
  EXPECT_NE(text_of(here() / "p.svg").find("|energy_error|: energy_error (2 points)"),
            std::string::npos);
}

// Versions before this one wrote the units into the header.
TEST_F(SweepSummary, ReadsUnitsInTheHeader) {
  fs::remove(here() / "s/results.units.json");
  std::string text = results;
  text.replace(text.find("eps,"), 4, "eps [pc],");
  text.replace(text.find("time,"), 5, "time [Myr],");
  write(here() / "s/results.csv", text);
  const engine::Json json = engine::parse_json(mote(here(), {"info", "s", "--json"}).out);
  EXPECT_EQ(json.at("varied"), (engine::Json{"eps", "kind"}));
  EXPECT_EQ(json.at("units"), (engine::Json{{"eps", "pc"}, {"time", "Myr"}}));
}

TEST_F(SweepSummary, OfASweepThatRanHasItsPoints) {
  write(here() / "scene.lua", sweep_scene);
  write(here() / "plan.lua",
        "return { scene = 'scene.lua', grid = { distance = { 1, 1.5 } }, repeats = 2 }");
  ASSERT_EQ(mote(here(), {"sweep", "plan.lua", "--out", "t", "--backend", "cpu"}).code, 0);
  const engine::Json json = engine::parse_json(mote(here(), {"info", "t", "--json"}).out);
  ASSERT_EQ(json.at("points").size(), 2u);
  EXPECT_EQ(json.at("points").at(1).at("set").at("distance"), "1.5");
  EXPECT_EQ(json.at("points").at(1).at("runs"), 2);
}

TEST_F(SweepSummary, IsPlottedWithBarsOrAsAMap) {
  skip_without_pictures();
  const Result one = mote(here(), {"plot", "s", "--by", "eps", "--what", "energy_error"});
  ASSERT_EQ(one.code, 0) << one.err;
  EXPECT_EQ(one.out, "s/plot.png\ns/plot.svg\n");
  EXPECT_NE(text_of(here() / "s/plot.svg").find("energy_error: energy_error (2 points)"),
            std::string::npos);
  const Result two = mote(here(), {"plot", "s", "-o", "map.svg", "--what", "energy_error"});
  ASSERT_EQ(two.code, 0) << two.err;
  EXPECT_NE(text_of(here() / "map.svg").find("energy_error: 4 of 4 cells"), std::string::npos);
}

TEST_F(SweepSummary, SaysWhatCannotBePlotted) {
  skip_without_pictures();
  const auto refused = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"plot", "s"});
    const Result result = mote(here(), words);
    EXPECT_EQ(result.code, 2) << result.out;
    return result.err;
  };
  EXPECT_EQ(
      refused({"--by", "kind"}),
      "--by kind: has the value \"soft\", which is no number; choose two parameters for a map, "
      "which shows names\n");
  EXPECT_EQ(refused({"--by", "ep"}),
            "--by ep: is not a parameter that the sweep varies; did you mean 'eps'?\n");
  EXPECT_EQ(refused({"--what", "energy_eror"}),
            "--what energy_eror: is not a column of numbers in results.csv; did you mean "
            "'energy_error'?\n");
  write(here() / "s/results.csv", std::string(results).substr(0, std::string(results).find('\n')));
  EXPECT_EQ(refused({}), "s: has no results yet; `mote sweep PLAN --out s` runs its jobs\n");
}

}  // namespace
}  // namespace mote::test
