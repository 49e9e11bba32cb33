// Command-line options, and their effect on a run.
#include <gtest/gtest.h>

#include "engine/json.h"
#include "tests/app/program.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

class Options : public testing::Test {
 protected:
  void SetUp() override {
    write(here() / "binary.lua", binary_scene);
    write(here() / "cluster.lua", R"(local n = param("n", 300, { min = 2, max = 1000 })
return {
  gravity = { softening = 0.05 },
  integrator = { "leapfrog", dt = 0.01 },
  bodies = { plummer { n = n } },
}
)");
  }
  const fs::path& here() const { return folder_.path(); }

  /// Runs and returns run.json; empty if the run failed.
  engine::Json record(const std::vector<std::string>& words) {
    const std::string out = "run" + std::to_string(++runs_);
    std::vector<std::string> all{"run"};
    all.insert(all.end(), words.begin(), words.end());
    all.insert(all.end(), {"--out", out});
    const Result result = mote(here(), all);
    EXPECT_EQ(result.code, 0) << result.err;
    return result.code == 0 ? json_of(here() / out / "run.json") : engine::Json::object();
  }

  std::string refusal(std::vector<std::string> words) const {
    words.insert(words.begin(), "run");
    words.insert(words.end(), {"--out", "refused"});
    const Result result = mote(here(), words);
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_FALSE(fs::exists(here() / "refused"));
    return result.err;
  }

 private:
  TemporaryFolder folder_;
  int runs_ = 0;
};

TEST_F(Options, UntilAndStepsReplaceTheEndOfTheScene) {
  EXPECT_EQ(record({"binary.lua"}).at("steps"), 100);
  EXPECT_EQ(record({"binary.lua", "--steps", "250"}).at("steps"), 250);
  EXPECT_EQ(record({"binary.lua", "--until", "2"}).at("steps"), 256);
  EXPECT_EQ(record({"binary.lua", "--until", "2", "--steps", "10"}).at("steps"), 10);
  EXPECT_EQ(record({"binary.lua", "--steps", "0"}).at("steps"), 0);
}

TEST_F(Options, CountsMayBeWrittenLikeOtherNumbers) {
  EXPECT_EQ(record({"binary.lua", "--steps", "1e1", "--checkpoint-keep", "1e0", "--threads", "2.0"})
                .at("steps"),
            10);
  EXPECT_EQ(refusal({"binary.lua", "--steps", "1.5"}),
            "--steps: must be a whole number from 0 to 1e15, not 1.5; `mote help run` lists the "
            "options\n");
  EXPECT_EQ(refusal({"binary.lua", "--threads", "0"}),
            "--threads: must be a whole number from 1 to 4096, not 0; `mote help run` lists the "
            "options\n");
}

TEST_F(Options, TimesMayHaveUnits) {
  write(here() / "days.lua", R"(return { units = "solar", gravity = {}, integrator = { dt = 0.5 },
bodies = { { mass = 1, position = { 0, 0, 0 } } } })");
  const engine::Json run =
      record({"days.lua", "--until", "120 hours", "--snapshot-time", "2 days"});
  EXPECT_EQ(run.at("steps"), 10);
  EXPECT_EQ(run.at("time"), 5.0);
  // At 0, 2, 4 and 5 days.
  EXPECT_TRUE(fs::exists(here() / "run1/snapshots/snapshot_0003.h5"));
  EXPECT_FALSE(fs::exists(here() / "run1/snapshots/snapshot_0004.h5"));
  EXPECT_EQ(record({"days.lua", "--until", "+1e0"}).at("steps"), 2);
  EXPECT_EQ(refusal({"days.lua", "--until", "3 km"}),
            "--until: \"3 km\" is a length, but a time is needed\n");
  EXPECT_EQ(refusal({"days.lua", "--steps", "1", "--snapshot-time", "3 dayz"}),
            "--snapshot-time: \"3 dayz\": unknown unit 'dayz'; did you mean 'day'?\n");
  EXPECT_EQ(refusal({"days.lua", "--until", "0,5"}),
            "--until: \"0,5\" has a comma; numbers have no comma; write 0.5\n");
  EXPECT_EQ(refusal({"binary.lua", "--until", "3 days"}),
            "--until: \"3 days\" has a unit, but the unit system 'nbody' has no physical units; "
            "give a plain "
            "number, or choose units = \"si\", \"solar\", \"galactic\" or \"molecular\"\n");
  EXPECT_EQ(refusal({"days.lua", "--until", "-3 days"}),
            "--until: must be a number >= 0, with or without a unit, as in 10 or \"10 Myr\", not "
            "-3 days; `mote "
            "help run` lists the options\n");
}

TEST_F(Options, SetTakesVectors) {
  const engine::Json run = record({"binary.lua", "--set", "view.camera.target=[1,2,3]", "--set",
                                   "bodies.1.velocity={0, -0.5, 0}"});
  EXPECT_EQ(run.at("scene").at("view").at("camera").at("target"),
            engine::parse_json("[1.0, 2.0, 3.0]"));
  EXPECT_EQ(run.at("scene").at("bodies").at(0).at("velocity"),
            engine::parse_json("[0.0, -0.5, 0.0]"));
  EXPECT_EQ(refusal({"binary.lua", "--set", "view.camera.target=[1,2]"}),
            "--set view.camera.target: expected a vector {x, y, z}, got {1, 2}; allowed: any value "
            "in units of "
            "length\n");
}

TEST_F(Options, ARunNeedsAnEnd) {
  EXPECT_EQ(refusal({"cluster.lua"}),
            "cluster.lua: the run has no end; add --until TIME or --steps N, or stop = { time = "
            "... } to the scene\n");
  EXPECT_EQ(refusal({"cluster.lua", "--until", "1e300"}),
            "--until: time 1e+300 is more than 1e15 steps of 0.01 away; choose an earlier end\n");
}

TEST_F(Options, SetChangesParametersAndPaths) {
  const engine::Json run =
      record({"binary.lua", "--set", "distance=2", "--set", "gravity.softening=0.5", "--set",
              "bodies.2.mass=0.25", "--set", "title=Other", "--set", "integrator.name=yoshida4"});
  EXPECT_EQ(run.at("parameters").at("distance"), 2.0);
  EXPECT_EQ(run.at("scene").at("gravity").at("softening"), 0.5);
  EXPECT_EQ(run.at("scene").at("bodies").at(1).at("mass"), 0.25);
  EXPECT_EQ(run.at("scene").at("integrator").at("name"), "yoshida4");
  EXPECT_EQ(run.at("title"), "Other");
}

TEST_F(Options, SetIsCheckedLikeTheScene) {
  EXPECT_EQ(refusal({"binary.lua", "--set", "distanse=2"}),
            "--set distanse: the scene has no parameter of this name; did you mean 'distance'?\n");
  EXPECT_EQ(refusal({"binary.lua", "--set", "zoom=2"}),
            "--set zoom: the scene has no parameter of this name; it has: distance\n");
  EXPECT_EQ(refusal({"binary.lua", "--set", "distance=9"}),
            "--set distance: 9 is out of range; allowed: 0.5 .. 4, default 1\n");
  EXPECT_EQ(refusal({"binary.lua", "--set", "distance=far"}),
            "--set distance: expected a number, got text \"far\"; default 1\n");
  EXPECT_EQ(refusal({"binary.lua", "--set", "distance=1,5"}),
            "--set distance: expected a number, got text \"1,5\"; numbers have no comma; write "
            "1.5\n");
  EXPECT_EQ(refusal({"cluster.lua", "--steps", "1", "--set", "n=2.5"}),
            "--set n: expected a whole number, got 2.5; default 300 (300.0 in the scene would "
            "allow fractions)\n");
  EXPECT_EQ(refusal({"binary.lua", "--set", "gravity.sofening=1"}),
            "--set gravity.sofening: unknown key; did you mean 'softening'?\n");
  EXPECT_EQ(
      refusal({"binary.lua", "--set", "gravity.softening=-1"}),
      "--set gravity.softening: -1 is out of range; allowed: >= 0 in units of length, default 0\n");
  EXPECT_EQ(refusal({"binary.lua", "--set", "bodies.3.mass=1"}),
            "--set bodies.3.mass: the scene has no such key; list items count from 1, as in "
            "bodies.1.n\n");
  EXPECT_EQ(refusal({"binary.lua", "--set", "distance"}),
            "--set distance: is not of the form name=value\n");
}

TEST_F(Options, SeedChangesTheBodiesAndIsRecorded) {
  const engine::Json first = record({"cluster.lua", "--steps", "2"});
  const engine::Json other = record({"cluster.lua", "--steps", "2", "--seed", "12345"});
  EXPECT_EQ(first.at("seed"), 1);
  EXPECT_EQ(other.at("seed"), 12345);
  EXPECT_NE(first.at("state_hash"), other.at("state_hash"));
  EXPECT_EQ(record({"cluster.lua", "--steps", "2", "--seed", "1"}).at("state_hash"),
            first.at("state_hash"));
}

TEST_F(Options, TheSameRunGivesTheSameBitsForAnyNumberOfThreads) {
  const engine::Json one = record({"cluster.lua", "--steps", "5", "--threads", "1"});
  EXPECT_EQ(record({"cluster.lua", "--steps", "5", "--threads", "2"}).at("state_hash"),
            one.at("state_hash"));
  EXPECT_EQ(record({"cluster.lua", "--steps", "5"}).at("state_hash"), one.at("state_hash"));
  EXPECT_EQ(record({"cluster.lua", "--steps", "5"}).at("state_hash"), one.at("state_hash"));
}

TEST_F(Options, PrecisionOverridesTheScene) {
  for (const char* precision : {"single", "mixed", "double"})
    EXPECT_EQ(record({"binary.lua", "--precision", precision}).at("precision"), precision);
}

TEST_F(Options, WrongValuesNameTheOption) {
  EXPECT_EQ(refusal({"binary.lua", "--untl", "3"}),
            "--untl: unknown option; did you mean '--until'?\n");
  EXPECT_EQ(refusal({"binary.lua", "--zzz"}),
            "--zzz: unknown option; `mote help run` lists the options\n");
  EXPECT_EQ(refusal({"binary.lua", "other.lua"}),
            "other.lua: unexpected argument; `mote help run` lists the options\n");
  EXPECT_EQ(refusal({"binary.lua", "--steps", "-1"}),
            "--steps: must be a whole number from 0 to 1e15, not -1; `mote help run` lists the "
            "options\n");
  EXPECT_EQ(refusal({"binary.lua", "--until", "nan"}),
            "--until: must be a number >= 0, with or without a unit, as in 10 or \"10 Myr\", not "
            "nan; `mote "
            "help run` "
            "lists the options\n");
  EXPECT_EQ(refusal({"binary.lua", "--seed", "-1"}),
            "--seed: must be a whole number from 0 to 9007199254740992, not -1; `mote help run` "
            "lists the "
            "options\n");
  EXPECT_EQ(refusal({"binary.lua", "--backend", "gpu"}),
            "--backend: gpu not in {auto,cpu,cuda}; `mote help run` lists the options\n");
  EXPECT_EQ(refusal({"binary.lua", "--movie", "binary.lua"}),
            "--movie: must end in .mp4, not binary.lua; `mote help run` lists the options\n");
  EXPECT_EQ(refusal({"binary.lua", "--picture", "nowhere/a.png"}),
            "--picture nowhere/a.png: there is no folder nowhere; create it first\n");
  EXPECT_EQ(refusal({}), "scene is required; `mote help run` lists the options\n");
}

TEST_F(Options, RefuseSizesThatAreNone) {
  for (const char* size : {"1e30", "1e300TiB", "9000000TiB", "1GiB junk", "-1", "1XB", "nan"}) {
    const Result result = mote(here(), {"view", "cluster.lua", "--history", size});
    EXPECT_EQ(result.code, 2) << size;
    EXPECT_NE(result.err.find("must be a size such as 300MiB or 2GiB, not " + std::string(size)),
              std::string::npos)
        << result.err;
  }
}

}  // namespace
}  // namespace mote::test
