// Output of a run: text, lines for pipes, JSON.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <regex>
#include <thread>

#include "engine/files.h"
#include "engine/json.h"
#include "tests/app/program.h"
#include "tests/support/places.h"
#include "tests/support/sanitized.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

class Output : public testing::Test {
 protected:
  void SetUp() override { write(here() / "binary.lua", binary_scene); }
  const fs::path& here() const { return folder_.path(); }

  /// An endless run, to be interrupted.
  Call endless(const std::vector<std::string>& more) const {
    Call call{
        .arguments = {"run", "binary.lua", "--steps", "1000000000000", "--series-steps", "1000000"},
        .folder = here()};
    call.arguments.insert(call.arguments.end(), more.begin(), more.end());
    return call;
  }

  static Result interrupt(Running& running) {
    running.signal(SIGINT);
    return running.wait();
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(Output, EndsWithASummary) {
  const Result result = mote(here(), {"run", "binary.lua", "--out", "a"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.err, "");
  const std::regex summary(
      "done: 2 bodies, 100 steps to t = 0\\.78125, [0-9.]+ s\n"
      "  energy error [-0-9.e]+, virial ratio [0-9.]+, state hash [0-9a-f]{16}\n"
      "  [0-9.e+]+ steps/s, [0-9.e+]+ interactions/s on [^\n]+ \\([0-9]+ threads?, [a-z0-9.]+, "
      "double\\)\n"
      "  a: run\\.json, series\\.csv, snapshots/snapshot_0000\\.h5\n");
  EXPECT_TRUE(std::regex_match(result.out, summary)) << result.out;
}

// Files keep the units of the scene.
TEST_F(Output, HasTimesInFamiliarUnits) {
  write(here() / "far.lua",
        "return { units = 'galactic', integrator = { dt = 1 }, stop = { time = 3 }, bodies = { { "
        "mass = 1, position = { 0, 0, 0 } } } }");
  const Result result = mote(here(), {"run", "far.lua", "--out", "a"});
  // One kpc/(km/s) is 0.9777922 Gyr.
  EXPECT_NE(result.out.find(" steps to t = 2.93338 Gyr, "), std::string::npos) << result.out;
  const std::string info = mote(here(), {"info", "a"}).out;
  EXPECT_NE(info.find("step 3, t = 2.93338 Gyr\n"), std::string::npos) << info;
  EXPECT_EQ(engine::parse_json(engine::read_file(here() / "a/run.json")).at("time"), 3.0);
}

TEST_F(Output, OfExpansionsSaysTheirErrors) {
  const std::vector<std::string> options{
      "plummer", "--backend", "cpu", "--set", "n=3000", "--set", "gravity.solver=multipole"};
  const auto with = [&](const std::string& command, std::vector<std::string> more) {
    more.insert(more.begin(), options.begin(), options.end());
    more.insert(more.begin(), command);
    return mote(here(), more);
  };
  const Result run = with("run", {"--steps", "2", "--out", "a"});
  ASSERT_EQ(run.code, 0) << run.err;
  const std::regex errors(
      "  force errors: median [0-9.e-]+, 90 % [0-9.e-]+, 99 % [0-9.e-]+ "
      "\\(asked: 0\\.001\\), worst [0-9.e-]+ of 1,024 bodies\n");
  EXPECT_TRUE(std::regex_search(run.out, errors)) << run.out;
  const engine::Json record = engine::parse_json(engine::read_file(here() / "a/run.json"));
  EXPECT_LT(record.at("force_errors").at("p99"), 1e-3);
  EXPECT_GT(record.at("force_errors").at("p99"), 1e-5);
  EXPECT_GT(record.at("energy_error_max"), 0.0);
  EXPECT_NE(record.dump().find("gravity by multipole expansions: errors of 99 %"),
            std::string::npos);
  const std::string info = mote(here(), {"info", "a"}).out;
  EXPECT_NE(info.find("force errors"), std::string::npos) << info;
  EXPECT_NE(info.find(", at most "), std::string::npos) << info;
  const Result check = with("check", {"--steps", "2"});
  EXPECT_TRUE(std::regex_search(check.out, errors)) << check.out;
  const Result fine = with("check", {"--steps", "2", "--set", "gravity.accuracy=1e-6"});
  EXPECT_EQ(fine.err,
            "gravity.accuracy: 1e-06 is less than single precision can keep, 1e-05; use mixed or "
            "double precision\n");
}

// 500 bodies are all in a sample: intervals are 300 steps or more (steps_between_error_samples).
TEST_F(Output, OfLongRunsWithExpansionsHasTheLargestOfSampledErrors) {
  const std::vector<std::string> scene{
      "plummer", "--backend", "cpu", "--set", "n=500", "--set", "gravity.solver=multipole"};
  const auto run = [&](std::vector<std::string> more) {
    more.insert(more.begin(), scene.begin(), scene.end());
    more.insert(more.begin(), "run");
    return mote(here(), more);
  };
  const auto errors_of = [&](const std::string& folder) {
    return engine::parse_json(engine::read_file(here() / folder / "run.json")).at("force_errors");
  };
  const Result whole = run({"--steps", "800", "--out", "a"});
  ASSERT_EQ(whole.code, 0) << whole.err;
  const engine::Json errors = errors_of("a");
  EXPECT_EQ(errors.at("step"), 800);
  EXPECT_GE(errors.at("samples"), 3) << "the start, the end and one between at least";
  EXPECT_LE(errors.at("samples"), 2 + 800 / 300);
  EXPECT_GE(errors.at("largest").at("p99"), errors.at("p99"));
  EXPECT_LE(errors.at("largest").at("step"), 800);

  // A run that goes on knows what was found before. The first interval is 200 steps.
  ASSERT_EQ(run({"--steps", "250", "--out", "b", "--checkpoint-final", "always"}).code, 0);
  EXPECT_EQ(errors_of("b").at("samples"), 3) << "steps 0, 200 and 250";
  const Result more = mote(here(), {"resume", "b", "--steps", "255"});
  ASSERT_EQ(more.code, 0) << more.err;
  EXPECT_EQ(errors_of("b").at("samples"), 3) << "of steps 0 and 200, before, and 255";
}

// Errors of 1e-3 of forces that are about 1 in these units change a velocity in 2 steps of 1/64 by
// less than 1e-3 * 2/64 = 3e-5; speeds are about 0.7. Direct sums obey Newton's third law.
TEST_F(Output, OfExpansionsHasTheSpeedOfTheCentreOfMass) {
  const auto record = [&](const std::string& solver, const std::string& folder) {
    const Result run =
        mote(here(), {"run", "plummer", "--backend", "cpu", "--set", "n=3000", "--steps", "2",
                      "--set", "gravity.solver=" + solver, "--out", folder});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.out.find("speed of the centre of mass") != std::string::npos,
              solver == "multipole")
        << run.out;
    return engine::parse_json(engine::read_file(here() / folder / "run.json"));
  };
  const engine::Json speed = record("multipole", "a").at("center_of_mass_speed");
  EXPECT_GT(speed.at("change"), 0.0);
  EXPECT_LT(speed.at("change"), 3e-5);
  EXPECT_LE(std::fabs(speed.at("last").get<double>() - speed.at("first").get<double>()),
            speed.at("change").get<double>() * (1 + 1e-9));
  EXPECT_NEAR(speed.at("relative").get<double>() / speed.at("change").get<double>(), 1 / 0.7, 0.2);
  EXPECT_FALSE(record("direct", "b").contains("center_of_mass_speed"));
  const std::string info = mote(here(), {"info", "a"}).out;
  EXPECT_NE(info.find("speed of the centre of mass"), std::string::npos) << info;
}

TEST_F(Output, QuietPrintsNothing) {
  const Result result = mote(here(), {"run", "binary.lua", "--out", "a", "--quiet"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.out + result.err, "");
}

TEST_F(Output, IntoAPipeHasAPlainLineAtIntervalsUnlessQuiet) {
  MOTE_SKIP_IF_SANITIZED("it is about time; ProgressLine.* prints such lines");
  Running plain(endless({"--out", "a"})), quiet(endless({"--out", "b", "--quiet"}));
  std::this_thread::sleep_for(std::chrono::milliseconds(5800));
  const Result result = interrupt(plain), nothing = interrupt(quiet);
  EXPECT_EQ(nothing.code, 130);
  EXPECT_EQ(nothing.out + nothing.err, "");
  EXPECT_EQ(result.code, 130);
  const std::regex line(
      " *[0-9]+ %, .* left, step [0-9,]+ of 1,000,000,000,000, t = [0-9.e+]+, [0-9.e+]+ steps/s, "
      "[0-9.e+]+ "
      "interactions/s\n");
  EXPECT_TRUE(std::regex_match(result.err, line)) << result.err;
}

TEST_F(Output, AsJsonIsOneObjectALine) {
  Running running(endless({"--out", "a", "--json"}));
  std::this_thread::sleep_for(std::chrono::milliseconds(2500));
  const Result result = interrupt(running);
  EXPECT_EQ(result.code, 130);
  EXPECT_EQ(result.err, "");
  std::vector<engine::Json> events;
  for (const std::string& line : lines_of(result.out)) events.push_back(engine::parse_json(line));
  ASSERT_GE(events.size(), 2u);
  for (std::size_t i = 0; i + 1 < events.size(); ++i) {
    EXPECT_EQ(events[i].at("event"), "progress");
    EXPECT_EQ(events[i].at("steps"), 1000000000000);
    for (const char* key :
         {"step", "time", "steps_per_second", "interactions_per_second", "seconds", "seconds_left"})
      EXPECT_TRUE(events[i].at(key).is_number()) << key;
  }
  EXPECT_EQ(events.back().at("event"), "interrupted");
  EXPECT_EQ(events.back().at("folder"), "a");
  EXPECT_EQ(events.back().at("state_hash"), hash_of(here() / "a"));
}

// A program that reads the output must not mistake a part for all of it.
TEST_F(Output, ThatWasLostIsAFailure) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"check", "--json", "binary.lua"},
                                             {"run", "--json", "binary.lua"},
                                             {"run", "binary.lua"},
                                             {"schema"},
                                             {"help"},
                                             {"list"}}) {
    const Result result = run({.arguments = words, .folder = here(), .output = "/dev/full"});
    EXPECT_EQ(result.code, 1) << words.front();
    EXPECT_EQ(result.err,
              "mote: cannot write to standard output: the disk is full, or the program that reads "
              "it has ended; the output is incomplete\n")
        << words.front();
  }
  EXPECT_EQ(json_of(here() / "out/run.json").at("status"), "done")
      << "of the run itself nothing was lost";
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which take more addresses
                                                                     // than there are bytes
// From almost none to enough: the program always ends by itself, with an exit code. With less than
// it takes itself, it does not begin: the system ends it.
TEST_F(Output, NamesTheTroubleWithLittleMemory) {
  const std::size_t itself = fs::file_size(test::program_path()) >> 20;
  int code = 1;
  for (std::size_t megabytes = std::max<std::size_t>(40, itself + 1); code != 0 && megabytes < 400;
       megabytes += 1) {
    const Result result =
        run({.arguments = {"run", "binary.lua", "--out", "o", "--force", "--threads", "1"},
             .folder = here(),
             .memory = megabytes << 20});
    code = result.code;
    ASSERT_GE(code, 0) << megabytes << " MB: " << result.err;
  }
  EXPECT_EQ(code, 0);
}
#endif

}  // namespace
}  // namespace mote::test
