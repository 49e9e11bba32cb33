// Runs that several processes share, started by mpirun.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "engine/json.h"
#include "tests/app/program.h"
#include "tests/support/on_device.h"
#include "tests/support/places.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// True if a program is on PATH.
bool is_on_path(const std::string& program) {
  return std::system(("command -v " + program + " > /dev/null").c_str()) == 0;
}

class Mpi : public testing::Test {
 protected:
  void SetUp() override {
    if (!is_on_path("mpicc") || !is_on_path("mpirun"))
      GTEST_SKIP() << "there is no MPI with its compiler (mpicc, mpirun)";
    static const TemporaryFolder folder;  // builds it once
    static const Result built = mote(folder.path(), {"mpi", "--out", "mpi.so"});
    ASSERT_EQ(built.code, 0) << built.err;
    library_ = folder.path() / "mpi.so";
    write(here() / "cluster.lua", R"(return {
  gravity = { softening = 0.05 },
  integrator = { "leapfrog", dt = 1 / 128 },
  fields = { drag { linear = 0.01 } },
  bodies = { plummer { n = 100 }, plummer { n = 30, mass = 0 } },
  stop = { steps = 120 },
  series = { steps = 10 },
  snapshots = { time = 0.3 },
  on_step = { every = 25, run = function(sim)
    sim:row("calls", { error = sim.energy_error, chance = math.random() })
    if sim.step == 25 then sim:set("gravity.softening", 0.1) end
    if sim.step == 50 then sim:add { mass = 0.01, position = { 2, math.random(), 0 } } end
    if sim.step == 75 then sim:remove(3) end
  end },
}
)");
  }
  const fs::path& here() const { return folder_.path(); }
  Call call_of(int ranks, std::vector<std::string> words) const {
    return {.arguments = std::move(words),
            .folder = here(),
            .environment = {{"MOTE_MPI", library_},
                            {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
                            {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
                            {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
                            {"OMPI_MCA_btl_base_warn_component_unused", "0"}},
            .ranks = ranks};
  }
  Result on(int ranks, std::vector<std::string> words) const {
    return run(call_of(ranks, std::move(words)));
  }
  void expect_same(const std::string& a, const std::string& b) const {
    EXPECT_EQ(hash_of(here() / a), hash_of(here() / b));
    for (const char* file : {"series.csv", "rows/calls.csv"})
      EXPECT_EQ(text_of(here() / a / file), text_of(here() / b / file)) << file;
    const std::vector<std::string> snapshots = files_below(here() / b / "snapshots");
    EXPECT_EQ(files_below(here() / a / "snapshots"), snapshots);
    for (const std::string& file : snapshots)
      EXPECT_EQ(text_of(here() / a / "snapshots" / file), text_of(here() / b / "snapshots" / file))
          << file;
  }

 private:
  TemporaryFolder folder_;
  fs::path library_;
};

TEST_F(Mpi, ProcessesShareARunWithTheBitsOfOne) {
  ASSERT_EQ(mote(here(), {"run", "cluster.lua", "--backend", "cpu", "--out", "one"}).code, 0);
  for (const int ranks : {2, 3}) {
    const std::string out = "of" + std::to_string(ranks);
    const Result result = on(ranks, {"run", "cluster.lua", "--backend", "cpu", "--out", out});
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(lines_of(result.out).front().substr(0, 5), "done:") << result.out;
    expect_same(out, "one");
    const engine::Json work = json_of(here() / out / "run.json").at("ranks");
    ASSERT_EQ(work.size(), static_cast<std::size_t>(ranks));
    for (const engine::Json& rank : work) EXPECT_GT(rank.at("bytes_received"), 0u);
  }
}

// Each host has its own address and name; they share files alone, by the same paths.
TEST_F(Mpi, TwoHostsShareARunWithTheBitsOfOne) {
  const char* const trial =
      "name=mote-$$; ip netns add $name 2> /dev/null || exit 1; trap \"ip netns del $name\" EXIT; "
      "ip link add v$$ netns $name type veth peer name w$$ netns $name 2> /dev/null && "
      "ip netns exec $name unshare --uts true 2> /dev/null";
  if (std::system(trial) != 0)
    GTEST_SKIP() << "this user cannot make network namespaces, which stand for hosts";
  ASSERT_EQ(mote(here(), {"run", "cluster.lua", "--backend", "cpu", "--out", "one"}).code, 0);
  Call call = call_of(2, {"run", "cluster.lua", "--backend", "cpu", "--out", "two"});
  call.mpirun = source_dir() + "/tests/app/mpirun_on_two_hosts";
  const Result result = run(call);
  ASSERT_EQ(result.code, 0) << result.err;
  expect_same("two", "one");
  call.arguments = {"resume", "two", "--steps", "160"};
  const Result further = run(call);
  ASSERT_EQ(further.code, 0) << further.err;
  ASSERT_EQ(
      mote(here(), {"run", "cluster.lua", "--backend", "cpu", "--steps", "160", "--out", "more"})
          .code,
      0);
  expect_same("two", "more");
}

TEST_F(Mpi, ProcessesShareExpansionsWithTheBitsOfOne) {
  for (const char* const box :
       {"", "  domain = { size = { 8, 8, 8 }, boundary = 'periodic' },\n"}) {
    write(here() / "expanded.lua", std::string("return {\n") + box +
                                       R"(  gravity = { softening = 0.05, solver = "multipole" },
  fields = { drag { linear = 0.1 } },
  integrator = { "leapfrog", dt = 1 / 64 },
  bodies = { plummer { n = 500 } },
  stop = { steps = 20 },
  series = { steps = 10 },
  on_step = { every = 8, run = function(sim)
    if sim.step == 8 then sim:add { mass = 0.01, position = { 2, 0, 0 } } end
    if sim.step == 16 then sim:remove(3) end
  end },
}
)");
    ASSERT_EQ(mote(here(), {"run", "expanded.lua", "--backend", "cpu", "--out", "one"}).code, 0);
    for (const int ranks : {2, 3}) {
      const std::string out = "of" + std::to_string(ranks);
      const Result result = on(ranks, {"run", "expanded.lua", "--backend", "cpu", "--out", out});
      ASSERT_EQ(result.code, 0) << result.err;
      EXPECT_EQ(hash_of(here() / out), hash_of(here() / "one"));
      EXPECT_EQ(json_of(here() / out / "run.json").at("force_errors"),
                json_of(here() / "one/run.json").at("force_errors"));
      EXPECT_EQ(text_of(here() / out / "series.csv"), text_of(here() / "one/series.csv"));
      fs::remove_all(here() / out);
    }
    fs::remove_all(here() / "one");
  }
}

// Without options, few bodies run on the CPU also where there is a GPU.
TEST_F(Mpi, ProcessesTakeTheBackendOfOne) {
  const std::vector<std::string> words{"run", "cluster.lua", "--steps", "30", "--out", "one"};
  ASSERT_EQ(mote(here(), words).code, 0);
  std::vector<std::string> shared = words;
  shared.back() = "two";
  const Result two = on(2, shared);
  ASSERT_EQ(two.code, 0) << two.err;
  EXPECT_EQ(hash_of(here() / "two"), hash_of(here() / "one"));
  const engine::Json a = json_of(here() / "one/run.json"), b = json_of(here() / "two/run.json");
  for (const char* key : {"backend", "precision", "simd", "choices"})
    EXPECT_EQ(a.at(key), b.at(key)) << key;
}

TEST_F(Mpi, ProcessesHaveTheirGpus) {
  if (!no_gpu().empty()) GTEST_SKIP() << no_gpu();
  const std::vector<std::string> words{"run",     "cluster.lua", "--backend", "cuda",
                                       "--steps", "30",          "--out",     "one"};
  ASSERT_EQ(mote(here(), words).code, 0);
  std::vector<std::string> shared = words;
  shared.back() = "two";
  const Result two = on(2, shared);
  ASSERT_EQ(two.code, 0) << two.err;
  EXPECT_EQ(hash_of(here() / "two"), hash_of(here() / "one"));
}

TEST_F(Mpi, ACheckpointGoesOnWithAnotherNumberOfProcesses) {
  ASSERT_EQ(mote(here(), {"run", "cluster.lua", "--backend", "cpu", "--out", "one"}).code, 0);
  const Result part =
      on(2, {"run", "cluster.lua", "--backend", "cpu", "--steps", "60", "--out", "parts"});
  ASSERT_EQ(part.code, 0) << part.err;
  const Result next = on(3, {"resume", "parts", "--steps", "90"});
  ASSERT_EQ(next.code, 0) << next.err;
  ASSERT_EQ(mote(here(), {"resume", "parts", "--steps", "120"}).code, 0);
  expect_same("parts", "one");
}

// Hermite keeps numbers for each body, such as its step, which the other processes divide again.
TEST_F(Mpi, ACheckpointOfBlockStepsGoesOnWithAnotherNumberOfProcesses) {
  write(here() / "steps.lua", R"(return {
  gravity = { softening = 0 },
  integrator = { "hermite", dt = 1 / 16, eta = 0.02 },
  bodies = { plummer { n = 100 } },
  stop = { steps = 300 },
  series = { steps = 50 },
})");
  const auto run_of = [&](const std::string& out) {
    return std::vector<std::string>{"run", "steps.lua", "--backend", "cpu", "--out", out};
  };
  ASSERT_EQ(mote(here(), run_of("one")).code, 0);
  std::vector<std::string> first = run_of("parts");
  first.insert(first.end(), {"--steps", "110", "--checkpoint-steps", "70"});
  ASSERT_EQ(on(2, first).code, 0);
  // A step of all bodies would have 100 x 100 interactions.
  std::uint64_t interactions = 0;
  for (const engine::Json& rank : json_of(here() / "parts/run.json").at("ranks"))
    interactions += rank.at("interactions").get<std::uint64_t>();
  EXPECT_LT(interactions, 110u * 10'000 / 2);
  fs::copy(here() / "parts", here() / "alone", fs::copy_options::recursive);
  const auto resumed = [&](const std::string& run, const Result& result) {
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(hash_of(here() / run), hash_of(here() / "one")) << run;
    EXPECT_EQ(text_of(here() / run / "series.csv"), text_of(here() / "one/series.csv")) << run;
  };
  resumed("parts", on(3, {"resume", "parts", "--steps", "300"}));
  resumed("alone", mote(here(), {"resume", "alone", "--from", "70", "--steps", "300"}));
}

// The launcher passes SIGUSR1 on to all processes.
TEST_F(Mpi, ASignalEndsARunWithACheckpoint) {
  Running running(call_of(2, {"run", "cluster.lua", "--backend", "cpu", "--steps", "1000000",
                              "--checkpoint-steps", "20", "--out", "part"}));
  while (!running.ended() && files_below(here() / "part/checkpoints").size() < 3)
    std::this_thread::sleep_for(10ms);
  running.signal(SIGUSR1);
  const Result result = running.wait();
  EXPECT_EQ(result.code, 130) << result.err;
  const engine::Json record = json_of(here() / "part/run.json");
  EXPECT_EQ(record.at("status"), "interrupted");
  const std::string end = std::to_string(record.at("steps").get<int>() + 10);
  const Result further = on(2, {"resume", "part", "--steps", end});
  ASSERT_EQ(further.code, 0) << further.err;
  ASSERT_EQ(
      mote(here(), {"run", "cluster.lua", "--backend", "cpu", "--steps", end, "--out", "one"}).code,
      0);
  expect_same("part", "one");
}

// The script runs on rank 0 alone, and the others need no trust. It takes longer than scripts may.
TEST_F(Mpi, ARunThatNeedsTrustGoesOn) {
  write(here() / "long.lua", R"(local n = 0
for i = 1, 1e8 do n = n + 1 end
return {
  gravity = { softening = 0.05 },
  integrator = { "leapfrog", dt = 1 / 128 },
  bodies = { plummer { n = 64 } },
  stop = { steps = 40 },
  on_step = { every = 10, run = function(sim) sim:row("calls", { n = n }) end },
}
)");
  const Result begun =
      on(2, {"run", "long.lua", "--trust", "--backend", "cpu", "--steps", "20", "--out", "part"});
  ASSERT_EQ(begun.code, 0) << begun.err;
  EXPECT_NE(mote(here(), {"resume", "part", "--steps", "40"}).code, 0);
  const Result further = on(2, {"resume", "part", "--trust", "--steps", "40"});
  ASSERT_EQ(further.code, 0) << further.err;
  EXPECT_EQ(lines_of(text_of(here() / "part/rows/calls.csv")).size(), 5u);
}

TEST_F(Mpi, AProcessThatIsKilledEndsTheOthers) {
  const std::vector<std::string> words{"run",     "cluster.lua", "--backend",          "cpu",
                                       "--steps", "1000000",     "--checkpoint-steps", "20",
                                       "--out",   "killed"};
  Running running(call_of(3, words));
  const auto has_checkpoint = [&] {
    for (const std::string& file : files_below(here() / "killed/checkpoints"))
      if (file.ends_with(".h5") && file.find("000000000000") == file.npos) return true;
    return false;
  };
  while (!running.ended() && !has_checkpoint()) std::this_thread::sleep_for(10ms);
  const std::vector<pid_t> processes = running.children();
  ASSERT_GE(processes.size(), 3u);
  ::kill(processes.back(), SIGKILL);
  const auto killed = std::chrono::steady_clock::now();
  EXPECT_NE(running.wait().code, 0);
  EXPECT_LT(std::chrono::steady_clock::now() - killed, 10s);
  const auto steps = [&] {
    const std::vector<std::string> files = files_below(here() / "killed/checkpoints");
    return std::stoull(files.back().substr(files.back().find('_') + 1));
  }();
  const std::string end = std::to_string(steps + 30);
  const Result further = mote(here(), {"resume", "killed", "--steps", end});
  ASSERT_EQ(further.code, 0) << further.err;
  ASSERT_EQ(
      mote(here(), {"run", "cluster.lua", "--backend", "cpu", "--steps", end, "--out", "one"}).code,
      0);
  expect_same("killed", "one");
}

TEST_F(Mpi, ProcessesAreRefusedBeforeAnythingIsWritten) {
  const auto refusal = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "run");
    words.insert(words.end(), {"--backend", "cpu", "--out", "refused"});
    const Result result = on(2, words);
    EXPECT_NE(result.code, 0);
    EXPECT_FALSE(fs::exists(here() / "refused"));
    return result.err;
  };
  const std::string undivided = refusal({"argon"});
  EXPECT_NE(undivided.find("cannot be divided between GPUs or processes yet"), std::string::npos);
  const Result checked = mote(here(), {"check", "argon", "--backend", "cpu", "--ranks", "2"});
  EXPECT_EQ(checked.code, 2);
  // Lines of the launcher may be before it.
  EXPECT_FALSE(checked.err.empty());
  EXPECT_NE(undivided.find(checked.err), std::string::npos) << undivided;
  const std::string missing = refusal({"nosuch"});
  const std::size_t first = missing.find("nosuch: no such scene file");
  EXPECT_NE(first, std::string::npos);
  EXPECT_EQ(missing.find("nosuch: no such scene file", first + 1), std::string::npos)
      << "one process says it";
  EXPECT_NE(refusal({"cluster.lua", "--device", "0"}).find("--device"), std::string::npos);
  Call alone = call_of(0, {"run", "cluster.lua", "--out", "refused"});
  alone.environment["OMPI_COMM_WORLD_SIZE"] = "4";  // as of another MPI
  EXPECT_NE(run(alone).err.find("has started 4 processes, but"), std::string::npos);
  EXPECT_FALSE(fs::exists(here() / "refused"));
  Call call = call_of(2, {"run", "cluster.lua", "--out", "refused"});
  call.environment["MOTE_MPI"] = here() / "none.so";
  const Result without = run(call);
  EXPECT_NE(without.code, 0);
  EXPECT_NE(without.err.find("`mote mpi` builds it"), std::string::npos) << without.err;
  EXPECT_FALSE(fs::exists(here() / "refused"));
}

}  // namespace
}  // namespace mote::test
