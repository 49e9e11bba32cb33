// Histogram files of a run.
#include <gtest/gtest.h>

#include "engine/json.h"
#include "tests/app/program.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

class HistogramFiles : public testing::Test {
 protected:
  void SetUp() override { write(here() / "binary.lua", binary_scene); }
  const fs::path& here() const { return folder_.path(); }

  Result run_binary(std::vector<std::string> more) const {
    more.insert(more.begin(), {"run", "binary.lua", "--steps", "0"});
    return mote(here(), more);
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(HistogramFiles, AreTablesOfTheFinalState) {
  // --histogram takes one argument each, so that the scene may follow.
  const Result good = mote(here(), {"run", "--steps", "0", "--out", "a", "--histogram",
                                    "x:4:-0.25:0.75", "--histogram", "speed", "binary.lua"});
  ASSERT_EQ(good.code, 0) << good.err;
  EXPECT_EQ(text_of(here() / "a/histogram_x.csv"),
            "x_low,x_high,count\n-0.25,0,0\n0,0.25,0\n0.25,0.5,0\n0.5,0.75,1\n");
  // Both bodies have speed 0.5: the range is half of it to either side.
  const auto lines = lines_of(text_of(here() / "a/histogram_speed.csv"));
  ASSERT_EQ(lines.size(), 101u);
  EXPECT_EQ(lines[1], "0.25,0.255,0");
  EXPECT_EQ(lines[51], "0.5,0.505,2");
  EXPECT_NE(good.out.find("snapshots/snapshot_0000.h5, histogram_x.csv, histogram_speed.csv\n"),
            std::string::npos)
      << good.out;
}

TEST_F(HistogramFiles, StandInTheRecordWithWhatIsOutside) {
  ASSERT_EQ(
      run_binary({"--out", "a", "--histogram", "x:4:-0.25:0.75", "--histogram", "mass:7"}).code, 0);
  const engine::Json all = json_of(here() / "a/run.json").at("histograms");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all.at("x"), engine::parse_json(R"({"file": "histogram_x.csv", "unit": "", "bins": 4,
      "range": [-0.25, 0.75], "below": 1, "above": 0, "not_finite": 0})"));
  EXPECT_EQ(all.at("mass").at("bins"), 7);
  EXPECT_EQ(all.at("mass").at("range"), engine::parse_json("[0.25, 0.75]"));
  ASSERT_EQ(run_binary({"--out", "b"}).code, 0);
  EXPECT_FALSE(json_of(here() / "b/run.json").contains("histograms"));
}

TEST_F(HistogramFiles, OfAnEarlierRunAreRemovedWithForceAndNoOthers) {
  ASSERT_EQ(run_binary({"--out", "a", "--histogram", "speed", "--histogram", "radius"}).code, 0);
  write(here() / "a/histogram_mine.csv", "made by hand");
  ASSERT_EQ(run_binary({"--out", "a", "--histogram", "radius:3", "--force"}).code, 0);
  EXPECT_FALSE(fs::exists(here() / "a/histogram_speed.csv"));
  EXPECT_EQ(lines_of(text_of(here() / "a/histogram_radius.csv")).size(), 4u);
  EXPECT_EQ(text_of(here() / "a/histogram_mine.csv"), "made by hand");
}

TEST_F(HistogramFiles, WithoutARunAreNotOverwritten) {
  write(here() / "mine/histogram_speed.csv", "made by hand");
  const Result result = run_binary({"--out", "mine", "--force", "--histogram", "speed"});
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(result.err,
            "--out mine: has files that a run would overwrite: histogram_speed.csv; choose another "
            "folder\n");
  EXPECT_EQ(text_of(here() / "mine/histogram_speed.csv"), "made by hand");
}

TEST_F(HistogramFiles, OfSpeciesNeedAScene) {
  const Result none = run_binary({"--out", "a", "--histogram", "species:3"});
  EXPECT_EQ(none.code, 2);
  EXPECT_EQ(none.err,
            "--histogram species: the scene has no species; name them, as in species = { star = { "
            "color = "
            "\"#ffcc88\" } }, or choose something else\n");
  EXPECT_FALSE(fs::exists(here() / "a"));
  write(here() / "kinds.lua",
        R"(return { integrator = { dt = 1 }, species = { gas = {}, star = {} }, bodies = {
    { mass = 1, position = { 0, 0, 0 } }, { mass = 1, position = { 1, 0, 0 }, species = "star" } } })");
  const Result good = mote(here(), {"run", "kinds.lua", "--steps", "0", "--out", "a", "--histogram",
                                    "species:3:-0.5:2.5"});
  ASSERT_EQ(good.code, 0) << good.err;
  EXPECT_EQ(text_of(here() / "a/histogram_species.csv"),
            "species_low,species_high,count\n-0.5,0.5,1\n0.5,1.5,0\n1.5,2.5,1\n");
}

TEST_F(HistogramFiles, MayBeOfExpressions) {
  ASSERT_EQ(
      run_binary({"--out", "a", "--histogram", "max(x, -x)*2:2:0:2", "--histogram", "density"})
          .code,
      0);
  EXPECT_EQ(text_of(here() / "a/histogram_max_x_-x_2.csv"),
            "max(x; -x)*2_low,max(x; -x)*2_high,count\n0,1,0\n1,2,2\n");
  EXPECT_TRUE(fs::exists(here() / "a/histogram_density.csv"));
  EXPECT_TRUE(json_of(here() / "a/run.json").at("histograms").contains("max(x, -x)*2"));
  ASSERT_EQ(run_binary({"--out", "a", "--force"}).code, 0);
  EXPECT_FALSE(fs::exists(here() / "a/histogram_max_x_-x_2.csv")) << "that of the earlier run";
  const Result wrong = run_binary({"--out", "b", "--histogram", "x+*2"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(
      wrong.err.starts_with("--histogram x+*2: unexpected '*' where a number, a name or ( is "
                            "expected, at "
                            "character 3\n"))
      << wrong.err;
  EXPECT_FALSE(fs::exists(here() / "b"));
}

TEST_F(HistogramFiles, AreCheckedBeforeAnythingIsWritten) {
  const Result result =
      run_binary({"--out", "a", "--histogram", "sped:0", "--histogram", "x:5:1:0"});
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(result.err,
            "--histogram sped:0: bodies have no scalar \"sped\"; did you mean 'speed'?\n"
            "--histogram sped:0: bins: 0 is out of range; allowed: 1 to 1,000,000\n"
            "--histogram x:5:1:0: range: 1 to 0 is empty; write the low end first\n");
  EXPECT_FALSE(fs::exists(here() / "a"));
}

}  // namespace
}  // namespace mote::test
