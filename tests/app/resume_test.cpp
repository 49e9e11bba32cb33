// Runs that are resumed after a kill, an interruption, a full disk or an unhealthy step, and runs
// that are extended.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <thread>

#include "engine/files.h"
#include "engine/json.h"
#include "sim/output/checkpoint.h"
#include "sim/run/plan.h"
#include "tests/app/resume_fixture.h"
#include "tests/support/places.h"
#include "tests/support/sanitized.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

TEST_F(Resume, AfterKillsAtAnyMomentEndsAsIfThereHadBeenNone) {
  run_whole();
  const std::vector<std::string> words{"run",    "busy.lua", "--backend",          "cpu", "--out",
                                       "killed", "--quiet",  "--checkpoint-steps", "31"};
  int killed = 0;
  std::vector<std::string> next = words;
  for (int pause = 20; pause < 4000 && killed < 8; pause += 5) {
    Running running({.arguments = next, .folder = here()});
    std::this_thread::sleep_for(std::chrono::milliseconds(pause));
    running.signal(SIGKILL);
    if (running.wait().code == 0) break;
    ++killed;
    next = {"resume", "killed", "--quiet"};
    if (has_checkpoint("killed")) continue;
    next = words;  // killed before the first checkpoint
    if (fs::exists(here() / "killed/log.txt"))
      next.emplace_back("--force");
    else
      fs::remove_all(here() / "killed");
  }
  ASSERT_GT(killed, 0) << "none was killed: the run is too short for this test";
  const Result last = mote(here(), next);
  ASSERT_EQ(last.code, 0) << last.err;
  expect_same_as_whole("killed");
}

TEST_F(Resume, AfterCtrlCEndsAsIfThereHadBeenNone) {
  write(here() / "busy.lua", std::string(busy_scene));
  const std::vector<std::string> end{"--steps", "20000"};
  run_whole(end);
  Running running(
      {.arguments = {"run", "busy.lua", "--backend", "cpu", "--out", "stopped", "--steps", "20000"},
       .folder = here()});
  ASSERT_TRUE(appears(here() / "stopped/snapshots/snapshot_0002.h5", running));
  running.signal(SIGINT);
  const Result stopped = running.wait();
  ASSERT_EQ(stopped.code, 130) << stopped.err;
  EXPECT_NE(stopped.out.find("resume with: mote resume stopped"), std::string::npos) << stopped.out;
  const Result result = go_on({"stopped"});
  ASSERT_EQ(result.code, 0) << result.err;
  expect_same_as_whole("stopped");
}

TEST_F(Resume, OfARunThatIsDoneTakesItFurther) {
  run_whole();
  run_in("a", {"--steps", "500", "--checkpoint-steps", "200"});
  const Result done = go_on({"a"});
  EXPECT_EQ(done.code, 0);
  EXPECT_EQ(done.out, "a: the run is done; extend it with --until TIME or --steps N\n");
  const Result further = go_on({"a", "--steps", "900"});
  ASSERT_EQ(further.code, 0) << further.err;
  expect_same_as_whole("a");
  EXPECT_EQ(json_of(here() / "a/run.json").at("resumed_at_steps"), engine::Json::array({500}));
}

TEST_F(Resume, PassesOverADamagedCheckpointAndKeepsIt) {
  run_whole();
  run_in("a", {"--steps", "500", "--checkpoint-steps", "200"});
  const fs::path newest = here() / "a/checkpoints/checkpoint_000000000500.h5";
  std::string bytes = text_of(newest);
  const std::size_t offset = bytes.find("first_energy") + 18;  // a digit in the middle of a number
  ASSERT_LT(offset, bytes.size());
  bytes[offset] = static_cast<char>(bytes[offset] ^ 1);
  write(newest, bytes);
  fs::resize_file(here() / "a/checkpoints/checkpoint_000000000400.h5", 5000);
  fs::create_directory(here() / "a/checkpoints/checkpoint_000000000600.h5");
  const Result result = go_on({"a", "--steps", "900"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.err.find(
                "using an earlier checkpoint instead: a/checkpoints/checkpoint_000000000200.h5"),
            std::string::npos)
      << result.err;
  expect_same_as_whole("a");
  EXPECT_TRUE(fs::exists(here() / "a/checkpoints/checkpoint_000000000500.h5.damaged"));
  EXPECT_TRUE(fs::exists(here() / "a/checkpoints/checkpoint_000000000400.h5.damaged"));
}

/// Changes the file so that the address of the dataset that begins with `text` is beyond its end:
/// it can be opened but not read.
void displace(const fs::path& file, const std::string& text) {
  std::string bytes = text_of(file);
  const std::uint64_t offset = bytes.find(text);
  ASSERT_LT(offset, bytes.size());
  const std::size_t address =
      bytes.find(std::string(reinterpret_cast<const char*>(&offset), sizeof offset));
  ASSERT_LT(address, bytes.size());
  for (std::size_t i = 3; i < 7; ++i) bytes[address + i] = '\x7f';
  write(file, bytes);
}

TEST_F(Resume, PassesOverACheckpointWhoseDataCannotBeRead) {
  run_whole();
  run_in("a", {"--steps", "500", "--checkpoint-steps", "200"});
  displace(here() / "a/checkpoints/checkpoint_000000000500.h5", "return {\n  title = \"Busy\"");
  const Result info = mote(here(), {"info", "a", "--json"});
  ASSERT_EQ(info.code, 0) << info.err;
  const engine::Json states = engine::parse_json(info.out).at("checkpoints");
  EXPECT_TRUE(states.at(2).contains("problem")) << info.out;
  EXPECT_EQ(states.at(1).at("step"), 400);
  const Result verified = mote(here(), {"verify", "a"});
  EXPECT_EQ(verified.code, 0) << verified.out << verified.err;
  EXPECT_NE(verified.out.find("1 checkpoint skipped as unreadable"), std::string::npos)
      << verified.out;
  EXPECT_NE(verified.err.find("checkpoint_000000000500.h5: Mote/scene_text cannot be read: "),
            std::string::npos)
      << verified.err;
  const Result result = go_on({"a", "--steps", "900"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.err.find(
                "using an earlier checkpoint instead: a/checkpoints/checkpoint_000000000400.h5"),
            std::string::npos)
      << result.err;
  expect_same_as_whole("a");
  EXPECT_TRUE(fs::exists(here() / "a/checkpoints/checkpoint_000000000500.h5.damaged"));
}

// Another user may have written the checkpoint: checksums prove that it is intact, not who wrote
// it.
TEST_F(Resume, OverwritesNothingOutsideOfItsFolderUnlessTrusted) {
  run_in("a", {"--steps", "500", "--checkpoint-steps", "500"});
  write(here() / "mine.txt", "mine");
  fs::create_directory_symlink(here(), here() / "a/way");
  const fs::path file = here() / "a/checkpoints/checkpoint_000000000500.h5";
  const sim::Checkpoint checkpoint = sim::read_checkpoint(file);
  const sim::SceneDescription scene = sim::scene_of(checkpoint);
  const sim::Plan plan = sim::make_plan(scene, sim::options_of(checkpoint, {}));
  for (const char* key : {"picture", "movie"})
    for (const std::string& path : {(here() / "mine.txt").string(), std::string("../mine.txt"),
                                    std::string("x/../../mine.txt"), std::string("way/mine.txt")}) {
      engine::Json hostile = *checkpoint.run;
      hostile["request"][key] = path;
      const auto simulation = sim::open_checkpoint(checkpoint, scene, plan);
      sim::write_checkpoint(file, *simulation, scene, plan, checkpoint.edits, *checkpoint.hook_data,
                            hostile);
      const Result result = go_on({"a", "--steps", "600"});
      EXPECT_EQ(result.code, 2) << key << " " << path;
      EXPECT_NE(
          result.err.find("outside the folder; if you trust the source of the run, add --trust"),
          std::string::npos)
          << result.err;
      EXPECT_EQ(text_of(here() / "mine.txt"), "mine") << key << " " << path;
    }
}

TEST_F(Resume, FollowsNoLinkOutOfItsFolderUnlessTrusted) {
  run_in("a", {"--steps", "500", "--checkpoint-steps", "500"});
  fs::rename(here() / "a/snapshots", here() / "snapshots");
  write(here() / "snapshots/snapshot_9999.h5", "mine");
  fs::create_directory_symlink("../snapshots", here() / "a/snapshots");
  const Result result = go_on({"a", "--steps", "600"});
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(result.err,
            "a/snapshots: is a symbolic link to outside of the folder of the run; if you trust the "
            "source of this run, give --trust\n");
  EXPECT_EQ(text_of(here() / "snapshots/snapshot_9999.h5"), "mine");
  EXPECT_EQ(go_on({"a", "--steps", "600", "--trust"}).code, 0);
}

// SIGHUP of a closed terminal, SIGPIPE of output into a closed pipe.
TEST_F(Resume, AfterSignalsOfALostTerminalEndsAsIfThereHadBeenNone) {
  write(here() / "busy.lua", std::string(busy_scene));
  const std::vector<std::string> end{"--steps", "20000"};
  run_whole(end);
  for (const int signal : {SIGHUP, SIGPIPE}) {
    Running running({.arguments = {"run", "busy.lua", "--backend", "cpu", "--out", "stopped",
                                   "--force", "--steps", "20000"},
                     .folder = here()});
    ASSERT_TRUE(appears(here() / "stopped/snapshots/snapshot_0002.h5", running));
    running.signal(signal);
    running.signal(signal);
    ASSERT_EQ(running.wait().code, 130) << signal;
    ASSERT_EQ(go_on({"stopped"}).code, 0) << signal;
    expect_same_as_whole("stopped");
    fs::remove_all(here() / "stopped");
  }
}

TEST_F(Resume, AfterItsReaderHasEndedEndsAsIfThereHadBeenNone) {
  const std::string words = "cd '" + here().string() + "' && exec '" + test::program_path() +
                            "' run busy.lua --json --steps 1000000000 --out piped";
  std::FILE* const reader = ::popen(words.c_str(), "r");
  ASSERT_NE(reader, nullptr);
  char line[1000];
  EXPECT_NE(std::fgets(line, sizeof line, reader), nullptr);
  const int status = ::pclose(reader);  // which waits
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_EQ(json_of(here() / "piped/run.json").at("status"), "interrupted");
  EXPECT_TRUE(has_checkpoint("piped"));
}

TEST_F(Resume, NeedsNoFileThatTheSceneHadRead) {
  write(here() / "busy.lua", R"(local often = include("parts/often.lua")
    return {
      gravity = { softening = 0.05 },
      integrator = { "leapfrog", dt = 1 / 256 },
      bodies = { csv { file = "start.csv" }, plummer { n = 8 } },
      stop = { steps = 400 },
      on_step = { every = often.every, run = function(sim)
        sim:row("calls", { bodies = sim.count })
        sim:add(csv { file = "more.csv" })
      end },
    })");
  write(here() / "parts/often.lua", "return { every = include('parts/every.lua').n }");
  write(here() / "parts/every.lua", "return { n = 60 }");
  write(here() / "start.csv", "x,y,z,vx,vy,vz,mass\n1,0,0,0,1,0,0.1\n");
  write(here() / "more.csv", "x,y,z,vx,vy,vz,mass\n2,0,0,0,0.5,0,0.01\n3,0,0,0,0.5,0,0.01\n");
  run_whole();
  run_in("a", {"--steps", "200", "--checkpoint-steps", "100"});
  write(here() / "parts/every.lua", "return { n = 7 }");
  write(here() / "more.csv", "x,y,z,vx,vy,vz,mass\n2,0,0,0,0.5,0,7\n");
  fs::remove(here() / "start.csv");
  fs::remove(here() / "parts/often.lua");
  fs::remove(here() / "busy.lua");
  const Result result = go_on({"a", "--steps", "400", "--checkpoint-steps", "100"});
  ASSERT_EQ(result.code, 0) << result.err;
  expect_same_as_whole("a");
  fs::remove(here() / "more.csv");
  const Result verified = mote(here(), {"verify", "a"});
  EXPECT_EQ(verified.code, 0) << verified.err << verified.out;
}

// Outputs by time are exact where the integrator knows its path within a step, and a run that is
// taken further writes those between its former end and the step past it.
TEST_F(Resume, GoesOnPastAnEndWithinAStep) {
  write(here() / "three.lua",
        "return { gravity = {}, integrator = { 'ias15' }, snapshots = { time = 0.3, format = 'csv' "
        "}, bodies = { { mass = 3, position = { 1, 3, 0 }, velocity = { 0, 0, 0 } }, { mass = 4, "
        "position = { -2, -1, 0 }, velocity = { 0, 0, 0 } }, { mass = 5, position = { 1, -1, 0 }, "
        "velocity = { 0, 0, 0 } } } }");
  const auto run = [&](const std::string& folder, const std::string& end) {
    return mote(here(), {"run", "three.lua", "--out", folder, "--until", end, "--quiet",
                         "--checkpoint-steps", "1000000"});
  };
  ASSERT_EQ(run("whole", "20").code, 0);
  ASSERT_EQ(run("a", "10").code, 0);
  EXPECT_EQ(json_of(here() / "a/run.json").at("time"), 10.0);
  const Result result = go_on({"a", "--until", "20"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(json_of(here() / "a/run.json").at("state_hash"),
            json_of(here() / "whole/run.json").at("state_hash"));
  EXPECT_EQ(engine::read_file(here() / "a/series.csv"),
            engine::read_file(here() / "whole/series.csv"));
  int snapshots = 0;
  for (const fs::directory_entry& file : fs::directory_iterator(here() / "whole/snapshots")) {
    EXPECT_EQ(engine::read_file(here() / "a/snapshots" / file.path().filename()),
              engine::read_file(file.path()))
        << file.path();
    ++snapshots;
  }
  EXPECT_EQ(snapshots, 68);  // the start, 66 multiples of 0.3 up to 20, and the end
}

TEST_F(Resume, GoesOnFromAnEarlierStepWithAnotherTimeStep) {
  run_in("a", {"--checkpoint-steps", "200"});
  const Result result =
      go_on({"a", "--from", "700", "--set", "integrator.dt=0.001", "--steps", "900"});
  ASSERT_EQ(result.code, 0) << result.err;
  const engine::Json record = json_of(here() / "a/run.json");
  EXPECT_EQ(record.at("edits").back(),
            (engine::Json{{"step", 600}, {"path", "integrator.dt"}, {"value", 0.001}}));
  EXPECT_EQ(record.at("steps"), 900);
  for (const auto& [setting, problem] : std::map<std::string, std::string>{
           {"integrator.dt=soon", "--set integrator.dt=soon: "},
           {"integrator.dt=0.01x", "--set integrator.dt=0.01x: "},
           {"integrator.dt=0.01 Myr", "--set integrator.dt=0.01 Myr: "},
           {"integrator.dt=-1", "--set integrator.dt=-1: -1 is out of range; allowed: > 0"},
           {"bodies=3", "--set bodies=3: cannot change while the simulation runs; "}}) {
    const Result wrong = go_on({"a", "--set", setting, "--steps", "1000"});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_EQ(wrong.err.substr(0, problem.size()), problem) << wrong.err;
  }
  EXPECT_EQ(json_of(here() / "a/run.json"), record) << "what cannot be changes nothing";
}

TEST_F(Resume, SetsWhatTheSceneMadeLiveByItsName) {
  ASSERT_EQ(mote(here(), {"run", "plummer", "--backend", "cpu", "--set", "n=20", "--steps", "5",
                          "--out", "a"})
                .code,
            0);
  const Result result = go_on({"a", "--set", "softening=0.25", "--steps", "10"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(json_of(here() / "a/run.json").at("edits").back(),
            (engine::Json{{"step", 5}, {"path", "gravity.softening"}, {"value", 0.25}}));
}

TEST_F(Resume, SaysWhatIsMissing) {
  const auto problem = [&](const std::vector<std::string>& words) {
    const Result result = go_on(words);
    EXPECT_EQ(result.code, 2);
    return result.err;
  };
  EXPECT_EQ(
      problem({"nowhere"}),
      "nowhere: is not a run folder; name the folder of the run, as in: mote resume out, or a "
      "checkpoint (.h5)\n");
  fs::create_directories(here() / "empty");
  EXPECT_EQ(problem({"empty"}),
            "empty: does not contain a run; `mote run SCENE --out empty` starts one\n");
  run_in("a", {"--steps", "10", "--checkpoint-final", "never"});
  EXPECT_EQ(problem({"a", "--steps", "20"}),
            "a: has no checkpoint to resume from; start it again, as in: mote run SCENE --out a "
            "--force; with --checkpoint-wall SECONDS it writes checkpoints regularly\n");
  run_in("b", {"--steps", "100", "--checkpoint-steps", "50"});
  EXPECT_EQ(problem({"b/checkpoints/checkpoint_000000000050.h5"}),
            "b/checkpoints/checkpoint_000000000050.h5: belongs to a run; resume that run from it "
            "with: mote resume b --from 50; or continue it in a folder of its own with --out "
            "FOLDER\n");
  EXPECT_EQ(problem({"b/run.json"}).find("b/run.json: is not a valid HDF5 file"), 0u);
  EXPECT_EQ(problem({"b", "--out", "c"}),
            "--out c: a run is resumed in its own folder; remove it, or name one of the files in "
            "b/checkpoints\n");
  const std::string rows = text_of(here() / "b/series.csv");
  write(here() / "b/series.csv", rows.substr(0, 300));
  EXPECT_EQ(problem({"b", "--steps", "200"}).substr(0, 37),
            "b/series.csv: has 300 bytes, but had ");
  EXPECT_EQ(json_of(here() / "b/run.json").at("status"), "done") << "nothing was changed";
}

TEST_F(Resume, IsForOneProcessAtATime) {
  Running running({.arguments = {"run", "busy.lua", "--backend", "cpu", "--out", "a", "--steps",
                                 "100000000", "--checkpoint-steps", "1000"},
                   .folder = here()});
  ASSERT_TRUE(appears(here() / "a/checkpoints/checkpoint_000000000000.h5", running));
  const std::string busy =
      "a: another mote process is writing this run; wait until it has ended, or stop it\n";
  const Result second = go_on({"a"});
  EXPECT_EQ(second.code, 2);
  EXPECT_EQ(second.err, busy);
  const Result forced =
      mote(here(), {"run", "busy.lua", "--backend", "cpu", "--out", "a", "--force"});
  EXPECT_EQ(forced.code, 2);
  EXPECT_EQ(forced.err, busy);
  running.signal(SIGTERM);
  EXPECT_EQ(running.wait().code, 130);
}

TEST_F(Resume, FollowsAFullDiskWithoutAGap) {
  run_whole({"--series-steps", "1"});
  ASSERT_GT(fs::file_size(here() / "whole/series.csv"), 200'000u);
  // Enough space for checkpoints and snapshots, but the series exceeds the limit.
  const Result full = run({.arguments = {"run", "busy.lua", "--backend", "cpu", "--out", "a",
                                         "--series-steps", "1", "--checkpoint-steps", "100"},
                           .folder = here(),
                           .largest_file = 150'000});
  EXPECT_EQ(full.code, 1);
  EXPECT_NE(full.err.find("File too large"), std::string::npos) << full.err;
  const auto said = lines_of(full.err);
  ASSERT_GE(said.size(), 2u) << full.err;
  EXPECT_NE(said[said.size() - 2].find("File too large"), std::string::npos) << full.err;
  EXPECT_NE(said.back().find("continue from step"), std::string::npos)
      << "after the error: " << full.err;
  EXPECT_EQ(json_of(here() / "a/run.json").at("status"), "failed");
  EXPECT_NE(json_of(here() / "a/run.json").at("reason").get<std::string>().find("File too large"),
            std::string::npos);
  const Result result = go_on({"a"});
  ASSERT_EQ(result.code, 0) << result.err;
  expect_same_as_whole("a");
}

TEST_F(Resume, HasItsEndBeforeAWallClockLimit) {
  MOTE_SKIP_IF_SANITIZED("it is about time; other Resume.* interrupt runs");
  const auto start = std::chrono::steady_clock::now();
  const Result limited = mote(here(), {"run", "busy.lua", "--backend", "cpu", "--out", "a",
                                       "--steps", "1000000000", "--wall", "3"});
  const double took =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_EQ(limited.code, 130);
  EXPECT_GT(took, 1);
  const engine::Json record = json_of(here() / "a/run.json");
  EXPECT_EQ(record.at("status"), "interrupted");
  EXPECT_EQ(record.at("reason"), "the wall-clock limit");
  EXPECT_TRUE(fs::exists(here() / "a" / record.at("checkpoint").get<std::string>()));
}

// Many bodies are measured less often by default; how many there are is what the run began with.
TEST_F(Resume, MeasuresAsOftenAsBeforeAlsoWhenManyBodiesHaveCome) {
  write(here() / "busy.lua", R"(return {
    title = "Crowd",
    integrator = { dt = 0.1 },
    bodies = lattice { counts = { 10, 10, 10 }, spacing = 1, mass = 1 },
    stop = { steps = 48 },
    on_step = { every = 4, run = function(sim)
      for k = 1, 10 do sim:add { mass = 1, position = { k, sim.step, 20 } } end
    end },
  })");
  const std::vector<std::string> checkpoints{"--checkpoint-steps", "16"};
  run_whole(checkpoints);
  run_in("taken-up", checkpoints);
  ASSERT_EQ(go_on({"taken-up", "--from", "16", "--quiet"}).code, 0);
  EXPECT_EQ(text_of(here() / "taken-up/series.csv"), text_of(here() / "whole/series.csv"));
  EXPECT_EQ(mote(here(), {"verify", "whole"}).code, 0);
}

TEST_F(Resume, KeepsAsManyCheckpointsAsAskedFor) {
  run_in("a", {"--steps", "100", "--checkpoint-steps", "10", "--checkpoint-keep", "2"});
  EXPECT_EQ(files_below(here() / "a/checkpoints"),
            (std::vector<std::string>{"checkpoint_000000000090.h5", "checkpoint_000000000100.h5"}));
}

TEST_F(Resume, HasCheckpointsAsTheSceneSaysAndTheCommandLineReplacesThem) {
  std::string text = busy_scene;
  const std::string head = "title = \"Busy\",";
  text.replace(text.find(head), head.size(), "checkpoints = { steps = 10, wall = 0, keep = 2 },");
  write(here() / "busy.lua", text);
  const auto checkpoints = [&](const std::string& run) {
    return files_below(here() / run / "checkpoints");
  };
  run_in("a", {"--steps", "100"});
  EXPECT_EQ(checkpoints("a"),
            (std::vector<std::string>{"checkpoint_000000000090.h5", "checkpoint_000000000100.h5"}));
  run_in("b", {"--steps", "100", "--checkpoint-steps", "40", "--checkpoint-keep", "4"});
  EXPECT_EQ(checkpoints("b"),
            (std::vector<std::string>{"checkpoint_000000000000.h5", "checkpoint_000000000040.h5",
                                      "checkpoint_000000000080.h5", "checkpoint_000000000100.h5"}));
  ASSERT_EQ(go_on({"a", "--steps", "125"}).code, 0);
  EXPECT_EQ(checkpoints("a"),
            (std::vector<std::string>{"checkpoint_000000000120.h5", "checkpoint_000000000125.h5"}));
  text.replace(text.find("steps = 10,"), 11, "time = \"1 Gyr\",");
  write(here() / "busy.lua", text);
  const Result wrong = mote(here(), {"run", "busy.lua", "--out", "c"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.err.find("checkpoints.time: "), std::string::npos) << wrong.err;
}

}  // namespace
}  // namespace mote::test
