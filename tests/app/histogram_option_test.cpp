// Histogram files of a run.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

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

  /// The last column of a histogram.
  static std::vector<double> counts_of(const fs::path& file) {
    std::vector<double> counts;
    const auto lines = lines_of(text_of(file));
    for (std::size_t i = 1; i < lines.size(); ++i)
      counts.push_back(std::stod(lines[i].substr(lines[i].rfind(',') + 1)));
    return counts;
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
  ASSERT_EQ(run_binary({"--out", "a", "--histogram", "max(x, -x)*2:2:0:2"}).code, 0);
  EXPECT_EQ(text_of(here() / "a/histogram_max_x_-x_2.csv"),
            "max(x; -x)*2_low,max(x; -x)*2_high,count\n0,1,0\n1,2,2\n");
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

// Each body of a cubic lattice has 6 neighbours at its spacing a, 12 at sqrt(2) a, 8 at sqrt(3) a
// and 6 at 2 a: the ball that reaches to the 32nd has the radius 2 a. All periodic images count, so
// that all bodies have the same density, 31 / (4/3 pi 2^3) of the mean. The middle bin is a
// thousand times as wide as rounding errors, which are some 1e-15 of squared distances.
TEST_F(HistogramFiles, HaveTheDensityOfALattice) {
  write(here() / "lattice.lua", R"(return { precision = "double", integrator = { dt = 1 },
    domain = { size = { 6, 6, 6 }, x = "periodic", y = "periodic", z = "periodic" },
    gravity = { softening = 0.1 },
    bodies = { lattice { counts = { 6, 6, 6 }, spacing = 1, mass = 2 * 216 } } })");
  const double density = 2 * 31 / (4.0 / 3 * std::numbers::pi * 8);
  ASSERT_EQ(mote(here(), {"run", "lattice.lua", "--steps", "0", "--out", "a", "--histogram",
                          fmt::format("density:3:{:.17g}:{:.17g}", density * (1 - 3e-12),
                                      density * (1 + 3e-12))})
                .code,
            0);
  EXPECT_EQ(counts_of(here() / "a/histogram_density.csv"), (std::vector<double>{0, 216, 0}));
}

// In uniform matter the estimate has no bias, and errs by 1 / sqrt(30). Estimates at the N bodies
// share neighbours: they are as good as N / 32 that are independent, so that their mean errs by
// 1 / sqrt(30) / sqrt(N / 32) or 1 / sqrt(N). Their scatter errs by sqrt((k - 1) / (N / 32)) / 2 of
// itself, where the kurtosis k of estimates of 30 neighbours is about 4: by less than
// 1 / sqrt(N / 32), of which two are allowed.
TEST_F(HistogramFiles, HaveTheDensityOfUniformMatter) {
  const int bodies = 8000;
  write(here() / "uniform.lua", R"(return { integrator = { dt = 1 }, gravity = { softening = 0.1 },
    domain = { size = { 2, 2, 2 }, x = "periodic", y = "periodic", z = "periodic" },
    bodies = { cube { n = 8000, mass = 24, size = { 2, 2, 2 }, centre = false } } })");
  ASSERT_EQ(mote(here(), {"run", "uniform.lua", "--steps", "0", "--out", "a", "--histogram",
                          "density:1000:0:15"})
                .code,
            0);
  const std::vector<double> counts = counts_of(here() / "a/histogram_density.csv");
  double count = 0, sum = 0, squares = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double density = 0.015 * (static_cast<double>(i) + 0.5) / 3;
    count += counts[i], sum += counts[i] * density, squares += counts[i] * density * density;
  }
  EXPECT_EQ(count, bodies);
  const double mean = sum / count, scatter = std::sqrt(squares / count - mean * mean);
  EXPECT_NEAR(mean, 1, 4 / std::sqrt(bodies));
  EXPECT_NEAR(scatter, 1 / std::sqrt(30), 2 / std::sqrt(bodies / 32.0) / std::sqrt(30));
}

// -G m / sqrt(d^2 + e^2), m the mass of the other body: with G = 10, a distance of 4 and a
// softening of 3, -6 and -4. Both are at the ends of the range, within rounding.
TEST_F(HistogramFiles, HaveThePotentialOfAPair) {
  write(here() / "pair.lua", R"(return { precision = "double", integrator = { dt = 1 },
    gravity = { softening = 3, constant = 10 },
    bodies = { { mass = 2, position = { 1, 0, 0 } }, { mass = 3, position = { 1, 0, 4 } } } })");
  ASSERT_EQ(mote(here(), {"run", "pair.lua", "--steps", "0", "--out", "a", "--histogram",
                          "potential:6:-6.00000001:-3.99999999"})
                .code,
            0);
  EXPECT_EQ(counts_of(here() / "a/histogram_potential.csv"),
            (std::vector<double>{1, 0, 0, 0, 0, 1}));
  EXPECT_EQ(json_of(here() / "a/run.json").at("histograms").at("potential").at("below"), 0);
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
