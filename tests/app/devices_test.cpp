// Runs whose bodies several GPUs share.
#include <gtest/gtest.h>

#include "engine/json.h"
#include "engine/machine.h"
#include "tests/app/program.h"
#include "tests/support/on_device.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

class Devices : public testing::Test {
 protected:
  void SetUp() override {
    write(here() / "cluster.lua", R"(return {
  gravity = { softening = 0.05 },
  integrator = { "leapfrog", dt = 1 / 64 },
  bodies = { plummer { n = 64 } },
  stop = { steps = 40 },
  series = { steps = 10 },
  on_step = { every = 15, run = function(sim)
    sim:row("calls", { error = sim.energy_error })
    if sim.step == 15 then sim:set("gravity.softening", 0.1) end
    if sim.step == 30 then sim:add { mass = 0.01, position = { 2, 0, 0 } } end
  end },
}
)");
  }
  const fs::path& here() const { return folder_.path(); }
  Result call(std::vector<std::string> words) const {
    return run({.arguments = std::move(words),
                .folder = here(),
                .environment = {{"MOTE_EMULATOR_DEVICES", "2"}}});
  }
  static std::string no_two_gpus() {
    if (!no_gpu().empty()) return no_gpu();
    return gpu_is_emulated() || engine::cuda_info().devices.size() > 1 ? "" : "there is one GPU";
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(Devices, ShareARunWithTheBitsOfOne) {
  if (const std::string why = no_two_gpus(); !why.empty()) GTEST_SKIP() << why;
  const Result one = call({"run", "cluster.lua", "--backend", "cuda", "--out", "one"});
  ASSERT_EQ(one.code, 0) << one.err;
  const Result two =
      call({"run", "cluster.lua", "--devices", "0,1", "--checkpoint-steps", "20", "--out", "two"});
  ASSERT_EQ(two.code, 0) << two.err;
  EXPECT_EQ(hash_of(here() / "two"), hash_of(here() / "one"));
  EXPECT_NE(two.out.find("2 x "), std::string::npos) << two.out;
  const engine::Json record = json_of(here() / "two/run.json");
  EXPECT_EQ(record.at("devices"), engine::Json::array({0, 1}));
  EXPECT_EQ(record.at("edits").size(), 1u);
  EXPECT_EQ(record.at("bodies_added"), 1);
  ASSERT_EQ(record.at("ranks").size(), 2u);
  for (const engine::Json& rank : record.at("ranks")) {
    EXPECT_GT(rank.at("interactions"), 0u);
    EXPECT_GT(rank.at("bytes_sent"), 0u);
    EXPECT_GT(rank.at("bytes_received"), 0u);
  }
  EXPECT_EQ(lines_of(text_of(here() / "two/rows/calls.csv")).size(), 3u);
  // A checkpoint does not know how many there were.
  const Result resumed = call({"resume", "two", "--from", "20", "--steps", "40", "--device", "1"});
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(hash_of(here() / "two"), hash_of(here() / "one"));
}

// Several are slower than one for few bodies.
TEST_F(Devices, AreOneForFewBodiesUnlessTheyAreNamed) {
  if (const std::string why = no_two_gpus(); !why.empty()) GTEST_SKIP() << why;
  const Result all = call({"run", "cluster.lua", "--devices", "all", "--out", "all"});
  ASSERT_EQ(all.code, 0) << all.err;
  const engine::Json record = json_of(here() / "all/run.json");
  EXPECT_FALSE(record.contains("devices"));
  EXPECT_EQ(record.at("backend"), "cuda");
  const std::string line = record.at("choices").at(0);
  EXPECT_EQ(line.substr(0, 9), "one GPU: ");
  EXPECT_NE(line.find("--devices 0,1"), std::string::npos) << line;
  const Result checked = call({"check", "cluster.lua", "--devices", "0,1"});
  EXPECT_EQ(checked.code, 0) << checked.err;
  EXPECT_NE(checked.out.find("\n  2 GPUs: each holds "), std::string::npos) << checked.out;
  EXPECT_NE(checked.out.find(" in a step, with measurements\n"), std::string::npos) << checked.out;
}

// Of 96 bodies in single precision each receives the positions of 48, and what ranks agree on.
TEST_F(Devices, AreTimedWithWhatTheyExchange) {
  if (const std::string why = no_two_gpus(); !why.empty()) GTEST_SKIP() << why;
  const Result timed =
      call({"bench", "--devices", "0,1", "--n", "96", "--repeats", "1", "--json", "bench.json"});
  ASSERT_EQ(timed.code, 0) << timed.err;
  EXPECT_NE(timed.out.find("one GPU      2 GPUs"), std::string::npos) << timed.out;
  const engine::Json row = json_of(here() / "bench.json").at("results").at(0);
  EXPECT_EQ(row.at("gpus"), 2);
  EXPECT_EQ(row.at("bodies"), 96);
  EXPECT_GT(row.at("one").at("seconds"), 0);
  EXPECT_GT(row.at("all").at("seconds"), 0);
  EXPECT_GE(row.at("received"), 48 * 12);
  EXPECT_LT(row.at("received"), 48 * 12 + 512);
  const Result scene = call({"bench", "cluster.lua", "--devices", "0,1", "--repeats", "1"});
  EXPECT_EQ(scene.code, 0) << scene.err;
  const Result refused = call({"bench", "--devices", "0"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.err, "--devices 0: is one GPU; name several, or leave it out\n");
}

TEST_F(Devices, AreNamedByDoctorWithTheirLinks) {
  if (const std::string why = no_two_gpus(); !why.empty()) GTEST_SKIP() << why;
  const std::string said = call({"doctor"}).out;
  if (gpu_is_emulated())
    EXPECT_NE(said.find("GPUs copy directly from each other"), std::string::npos) << said;
  else
    EXPECT_NE(said.find("direct"), std::string::npos) << said;
}

TEST_F(Devices, AreRefusedBeforeAnythingIsWritten) {
  const auto refusal = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "run");
    words.insert(words.end(), {"--out", "refused"});
    const Result result = call(words);
    EXPECT_EQ(result.code, 2) << result.err;
    EXPECT_FALSE(fs::exists(here() / "refused"));
    return result.err;
  };
  EXPECT_EQ(refusal({"cluster.lua", "--devices", "0,1", "--backend", "cpu"}),
            "--devices 0,1: is for the CUDA backend only; leave it out, or use --backend cuda\n");
  EXPECT_NE(refusal({"cluster.lua", "--devices", "0,1", "--device", "0"}).find("--devices"),
            std::string::npos);
  if (const std::string why = no_two_gpus(); !why.empty()) GTEST_SKIP() << why;
  EXPECT_NE(refusal({"cluster.lua", "--devices", "0,77"}).find("there is no GPU \"77\""),
            std::string::npos);
  EXPECT_NE(refusal({"cluster.lua", "--devices", "0,one"}).find("there is no GPU \"one\""),
            std::string::npos);
  EXPECT_NE(refusal({"cluster.lua", "--devices", "1,1"}).find("GPU 1 is there twice"),
            std::string::npos);
  EXPECT_NE(refusal({"argon", "--devices", "0,1"})
                .find("cannot be divided between GPUs or processes yet"),
            std::string::npos);
}

}  // namespace
}  // namespace mote::test
