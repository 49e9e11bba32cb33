// The jobs of a plan.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "engine/json.h"
#include "tests/app/sweep_support.h"
#include "tests/support/places.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;
using engine::Json;

class SweepPlan : public testing::Test {
 protected:
  void SetUp() override { write(here() / "scene.lua", sweep_scene); }
  const fs::path& here() const { return folder_.path(); }

  std::vector<Json> jobs(const std::string& body) const {
    write(here() / "plan.lua", "return { scene = 'scene.lua', " + body + " }");
    return jobs_of_plan(here(), "plan.lua");
  }
  static std::vector<double> values(const std::vector<Json>& jobs, const char* name) {
    std::vector<double> all;
    for (const Json& job : jobs) all.push_back(job.at("set").at(name).get<double>());
    return all;
  }
  static void expect_each_stratum_once(std::vector<double> parts) {
    std::sort(parts.begin(), parts.end());
    const auto n = static_cast<double>(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      EXPECT_GE(parts[i] * n, static_cast<double>(i) - 1e-9);
      EXPECT_LE(parts[i] * n, static_cast<double>(i) + 1 + 1e-9);
    }
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(SweepPlan, GridIsEveryValueWithEveryOtherTheLastNameFastest) {
  const auto all =
      jobs("grid = { steps = { 1, 2, 3 }, distance = { 1.5, 2 } }, set = { limit = 0.5 }");
  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(values(all, "distance"), (std::vector<double>{1.5, 1.5, 1.5, 2, 2, 2}));
  EXPECT_EQ(values(all, "steps"), (std::vector<double>{1, 2, 3, 1, 2, 3}));
  EXPECT_EQ(values(all, "limit"), std::vector<double>(6, 0.5));
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i].at("job"), i + 1);
}

TEST_F(SweepPlan, ListGridSamplesAndRepeatsMultiply) {
  const auto all = jobs(
      "list = { { steps = 1 }, { steps = 2, limit = 0.5 } }, grid = { ['integrator.dt'] = { 0.1, "
      "0.2, 0.3 } "
      "},"
      "random = { samples = 2, distance = { min = 1, max = 2 } }, repeats = 2");
  ASSERT_EQ(all.size(), 2u * 3 * 2 * 2);
  EXPECT_FALSE(all[0].at("set").contains("limit"));
  EXPECT_EQ(all[12].at("set").at("limit"), 0.5);
  EXPECT_EQ(all[4].at("set").at("integrator.dt"), 0.2);
  EXPECT_EQ(all[0].at("set"), all[1].at("set")) << "repeats go fastest";
  EXPECT_NE(all[0].at("set"), all[2].at("set"));
}

TEST_F(SweepPlan, SeedsDifferBetweenAllJobs) {
  const auto all = jobs("grid = { steps = { 1, 2, 3, 4, 5, 6, 7, 8 } }, repeats = 100");
  std::set<std::int64_t> seeds;
  for (const Json& job : all) seeds.insert(job.at("seed").get<std::int64_t>());
  EXPECT_EQ(seeds.size(), 800u);
  EXPECT_GE(*seeds.begin(), 0);
  EXPECT_LT(*seeds.rbegin(), std::int64_t{1} << 53);
}

TEST_F(SweepPlan, SeedsOfThePlanAreItsJobs) {
  const auto all = jobs("grid = { seed = { 5, 6 }, steps = { 1, 2 } }");
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].at("seed"), 5);
  EXPECT_EQ(all[3].at("seed"), 6);
}

TEST_F(SweepPlan, AlwaysMeansTheSameJobsAndAnotherSeedOthers) {
  const std::string body =
      "random = { samples = 5, distance = { min = 1, max = 2 } }, latin_hypercube = { samples = 5, "
      "limit = { min = 0.1, max = 0.2 } }, seed = ";
  EXPECT_EQ(jobs(body + "7"), jobs(body + "7"));
  const auto a = jobs(body + "7"), b = jobs(body + "8");
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_NE(a[i].at("set").at("distance"), b[i].at("set").at("distance"));
    EXPECT_NE(a[i].at("set").at("limit"), b[i].at("set").at("limit"));
    EXPECT_NE(a[i].at("seed"), b[i].at("seed"));
  }
}

TEST_F(SweepPlan, HypercubeHasEachStratumOfEachAxisOnce) {
  const auto all = jobs(
      "latin_hypercube = { samples = 40, distance = { min = 1, max = 3 }, "
      "limit = { min = 1e-4, max = 1, log = true } }");
  ASSERT_EQ(all.size(), 40u);
  std::vector<double> linear, logarithmic;
  for (const double x : values(all, "distance")) linear.push_back((x - 1) / 2);
  for (const double x : values(all, "limit")) logarithmic.push_back(1 + std::log10(x) / 4);
  EXPECT_FALSE(std::is_sorted(linear.begin(), linear.end()));
  expect_each_stratum_once(linear);
  expect_each_stratum_once(logarithmic);
}

TEST_F(SweepPlan, RandomSamplesStayBetweenTheirEndsAndStayWhenMoreAreTaken) {
  const std::string axes =
      "distance = { min = 1, max = 2 }, steps = { min = 1, max = 4, whole = true } }";
  const auto few = jobs("random = { samples = 10, " + axes),
             many = jobs("random = { samples = 200, " + axes);
  for (std::size_t i = 0; i < few.size(); ++i) EXPECT_EQ(few[i].at("set"), many[i].at("set"));
  double sum = 0;
  std::set<double> whole;
  for (const double x : values(many, "distance")) {
    EXPECT_GT(x, 1);
    EXPECT_LT(x, 2);
    sum += x;
  }
  // The mean of 200 uniform numbers has a standard error of 1/sqrt(12 * 200) = 0.02.
  EXPECT_NEAR(sum / 200, 1.5, 0.1);
  for (const Json& job : many) {
    EXPECT_TRUE(job.at("set").at("steps").is_number_integer());
    whole.insert(job.at("set").at("steps").get<double>());
  }
  EXPECT_EQ(whole, (std::set<double>{1, 2, 3, 4}));
}

TEST_F(SweepPlan, CountedRangesHaveTheirEnds) {
  const auto all = jobs("grid = { limit = { min = 0.001, max = 1, count = 4, log = true } }");
  const std::vector<double> limits = values(all, "limit");
  ASSERT_EQ(limits.size(), 4u);
  EXPECT_EQ(limits.front(), 0.001);
  EXPECT_NEAR(limits[1], 0.01, 1e-15);
  EXPECT_EQ(limits.back(), 1);
}

TEST_F(SweepPlan, ValuesMayHaveUnits) {
  std::string galactic = sweep_scene;
  galactic.insert(galactic.find("gravity"), "units = 'galactic', ");
  write(here() / "scene.lua", galactic);
  const auto all = jobs(
      "grid = { ['gravity.softening'] = { '600 pc', '2 kpc' } }, random = { samples = 2, "
      "['integrator.dt'] = "
      "{ min = "
      "'1 Myr', max = '2 Myr' } }");
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].at("set").at("gravity.softening"), "600 pc");
  EXPECT_TRUE(all[0].at("set").at("integrator.dt").get<std::string>().ends_with(" Myr"));
  ASSERT_EQ(mote(here(), {"sweep", "plan.lua", "--out", "s"}).code, 0);
  const auto rows = csv_rows(text_of(here() / "s/results.csv"));
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].at("gravity.softening"), "600 pc") << "units differ between jobs";
  const double dt = std::stod(rows[0].at("integrator.dt"));
  EXPECT_TRUE(dt > 1 && dt < 2) << dt;
  EXPECT_TRUE(rows[0].contains("time"));
  const engine::Json units = json_of(here() / "s/results.units.json");
  EXPECT_EQ(units.at("integrator.dt"), "Myr");
  EXPECT_EQ(units.at("time"), "kpc/(km/s)");
  EXPECT_FALSE(units.contains("gravity.softening"));
}

TEST_F(SweepPlan, InJsonMeansTheSame) {
  write(here() / "plan.json",
        R"({ "scene": "scene.lua", "grid": { "steps": [1, 2], "distance": { "min": 1, "max": 2,
      "count": 3 } }, "random": { "samples": 2, "limit": { "min": 0.1, "max": 1, "log": true } }, "seed": 3 })");
  EXPECT_EQ(jobs_of_plan(here(), "plan.json"),
            jobs("grid = { steps = { 1, 2 }, distance = { min = 1, max = "
                 "2, count = 3 } }, random = { samples = 2, limit = { "
                 "min = 0.1, max = 1, log = true } }, seed = 3"));
}

TEST_F(SweepPlan, DryRunShowsTheFirstJobsAndWritesNothing) {
  write(here() / "plan.lua",
        "return { scene = 'scene.lua', grid = { steps = { 1, 2, 3, 4, 5, 6, 7 } }, repeats = 2 }");
  const Result result = mote(here(), {"sweep", "plan.lua", "--dry-run", "--out", "s"});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto lines = lines_of(result.out);
  ASSERT_EQ(lines.size(), 7u) << result.out;
  EXPECT_EQ(lines[0], "plan.lua: good, 14 jobs of scene.lua");
  EXPECT_EQ(lines[1].substr(0, 20), "  0001  steps=1 seed");
  EXPECT_EQ(lines[6], "  ...");
  EXPECT_EQ(files_below(here()), (std::vector<std::string>{"plan.lua", "scene.lua"}));
}

class ShippedPlan : public testing::TestWithParam<std::string> {};

TEST_P(ShippedPlan, IsGoodByNameAndRuns) {
  const TemporaryFolder folder;
  const auto all = jobs_of_plan(folder.path(), GetParam());
  EXPECT_EQ(all.size(), 12u);
  EXPECT_EQ(
      mote(folder.path(), {"sweep", GetParam(), "--out", "s", "--backend", "cpu", "--job", "1"})
          .code,
      0);
  EXPECT_TRUE(fs::exists(folder.path() / "s/runs/0001/run.json"));
}

std::vector<std::string> shipped_plans() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(test::source_dir()) / "scenes/sweeps"))
    names.push_back(entry.path().stem());
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Plans, ShippedPlan, testing::ValuesIn(shipped_plans()),
                         [](const auto& plan) { return plan.param; });

// Every plan in tests/bad_plans has an error; NAME.expected is the expected message.
class BadPlan : public testing::TestWithParam<std::string> {};

TEST_P(BadPlan, IsRefusedWithItsMessageBeforeAnythingIsWritten) {
  const TemporaryFolder folder;
  const fs::path tests = fs::path(test::source_dir()) / "tests";
  const Result result =
      mote(tests, {"sweep", "bad_plans/" + GetParam(), "--out", folder.path() / "s"});
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, text_of((tests / "bad_plans" / GetParam()).replace_extension(".expected")));
  EXPECT_FALSE(fs::exists(folder.path() / "s"));
}

std::vector<std::string> bad_plans() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(test::source_dir()) / "tests/bad_plans"))
    if (entry.is_regular_file() && entry.path().extension() != ".expected")
      names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Plans, BadPlan, testing::ValuesIn(bad_plans()), [](const auto& plan) {
  std::string name = plan.param;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
});

}  // namespace
}  // namespace mote::test
