// mote export, diff and info on the files of runs.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "engine/files.h"
#include "engine/json.h"
#include "engine/packed.h"
#include "engine/read_process.h"
#include "sim/io/csv.h"
#include "sim/io/loaded_snapshot.h"
#include "sim/io/vtk.h"
#include "sim/output/checkpoint.h"
#include "sim/scene/read_scene.h"
#include "tests/app/program.h"
#include "tests/support/places.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;
using engine::Json;

class Files : public testing::Test {
 protected:
  void SetUp() override {
    write(here() / "binary.lua", binary_scene);
    ran("a", {"--snapshot-steps", "40", "--checkpoint-final", "never"});
  }
  const fs::path& here() const { return folder_.path(); }

  void ran(const std::string& folder, std::vector<std::string> more) const {
    more.insert(more.begin(),
                {"run", "binary.lua", "--backend", "cpu", "--quiet", "--out", folder});
    const Result result = mote(here(), more);
    ASSERT_EQ(result.code, 0) << result.err;
  }
  Result call(const std::vector<std::string>& words) const { return mote(here(), words); }
  std::string good(const std::vector<std::string>& words) const {
    const Result result = call(words);
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    return result.out;
  }
  std::string refused(const std::vector<std::string>& words) const {
    const Result result = call(words);
    EXPECT_EQ(result.code, 2) << result.out;
    return result.err;
  }
  Json json(const std::vector<std::string>& words, int code = 0) const {
    const Result result = call(words);
    EXPECT_EQ(result.code, code) << result.err;
    return engine::parse_json(result.out);
  }

 private:
  TemporaryFolder folder_;
};

// Two bodies of mass 1/2 at a distance of 1 on a circle: accelerations of 1/2 towards each other,
// potentials of -1/2; the distance changes by less than 1e-3 in a hundred steps.
TEST_F(Files, HaveAccelerationsAndPotentialsIfTheyAreNamed) {
  ran("v", {"--snapshot-columns", "velocity,mass,acceleration,potential"});
  const std::string file = "v/snapshots/snapshot_0000.h5";
  EXPECT_EQ(json({"info", file, "--json"}).at("columns"),
            Json::parse(R"(["id", "position", "velocity", "mass", "acceleration", "potential"])"));
  const sim::LoadedSnapshot snapshot = sim::load_snapshot(here() / file);
  ASSERT_EQ(snapshot.potential.size(), 2u);
  snapshot.state.visit([&](auto s) {
    for (engine::Index i = 0; i < 2; ++i) {
      const engine::Index other = 1 - i;
      const double x = s.x[other] - s.x[i], y = s.y[other] - s.y[i], z = s.z[other] - s.z[i];
      const double r = std::sqrt(x * x + y * y + z * z), m = s.mass[other];
      EXPECT_NEAR(s.ax[i], m * x / (r * r * r), 1e-14);
      EXPECT_NEAR(s.ay[i], m * y / (r * r * r), 1e-14);
      EXPECT_NEAR(snapshot.potential[static_cast<std::size_t>(i)], -m / r, 1e-14);
    }
  });
  good({"export", file, "--format", "csv", "--quiet"});
  const std::string table = engine::read_file(here() / "v/snapshots/snapshot_0000.csv");
  EXPECT_NE(table.find(",acceleration_x,acceleration_y,acceleration_z,potential\n"),
            std::string::npos)
      << table;
  EXPECT_EQ(good({"info", "a/snapshots/snapshot_0000.h5"}).find("potential"), std::string::npos);
  // With units the names have those of all columns, and the file can be read again.
  write(
      here() / "far.lua",
      "return { units = 'galactic', gravity = {}, integrator = { dt = 1e-6 }, bodies = { { mass = "
      "1, position = { 1, 0, 0 } }, { mass = 1, position = { 2, 0, 0 } } } }");
  good({"run", "far.lua", "--steps", "1", "--quiet", "--out", "far", "--snapshot-format", "csv",
        "--snapshot-columns", "mass,acceleration,potential"});
  const fs::path far = here() / "far/snapshots/snapshot_0000.csv";
  EXPECT_EQ(lines_of(text_of(far)).at(1),
            "id,x_kpc,y_kpc,z_kpc,mass_1e10msun,acceleration_x_km2_s2_kpc,"
            "acceleration_y_km2_s2_kpc,acceleration_z_km2_s2_kpc,potential_km2_s2");
  EXPECT_EQ(sim::read_bodies_csv(far, *engine::unit_system_named("galactic"), "").count(), 2u);
  write(here() / "free.lua",
        "return { integrator = { dt = 1 }, stop = { steps = 1 },"
        " fields = uniform { acceleration = { 0, 0, -1 } },"
        " bodies = { { mass = 1, position = { 0, 0, 0 } } } }");
  EXPECT_EQ(
      refused({"run", "free.lua", "--out", "w", "--snapshot-columns", "potential"}),
      "--snapshot-columns: potential is that of gravity, which the scene does not have; leave "
      "it out\n");
  EXPECT_FALSE(fs::exists(here() / "w"));
}

TEST_F(Files, AreExportedForParaViewWithAnIndexOfTheirTimes) {
  // The same state twice, as where a hook writes one that is due, too: exported once.
  fs::copy(here() / "a/snapshots/snapshot_0003.h5", here() / "a/snapshots/snapshot_0004.h5");
  EXPECT_EQ(good({"export", "a", "--format", "vtk"}), "a/export/snapshots.pvd: 4 files\n");
  EXPECT_EQ(files_below(here() / "a/export"),
            (std::vector<std::string>{"snapshot_0000.vtp", "snapshot_0001.vtp", "snapshot_0002.vtp",
                                      "snapshot_0003.vtp", "snapshots.pvd"}));
  const auto index = sim::read_vtk_index(here() / "a/export/snapshots.pvd");
  ASSERT_EQ(index.size(), 4u);
  EXPECT_EQ(index[0].time, 0);
  EXPECT_EQ(index[1].time, 40.0 / 128);
  EXPECT_EQ(index[3].time, 100.0 / 128);
  EXPECT_EQ(index[3].file, "snapshot_0003.vtp");
}

TEST_F(Files, AreExportedForOvitoAsOneFileOfTheTimesThatWereAskedFor) {
  EXPECT_EQ(good({"export", "a", "--format", "xyz", "--from", "0.5", "--columns", "mass"}),
            "a/export/snapshots.xyz: 2 frames\n");
  const std::vector<std::string> lines = lines_of(text_of(here() / "a/export/snapshots.xyz"));
  ASSERT_EQ(lines.size(), 8u);
  EXPECT_EQ(lines[1],
            "Properties=id:I:1:pos:R:3:mass:R:1 Time=0.625 step=80 units=nbody title=\"Binary\" "
            "pbc=\"F F F\"");
  EXPECT_EQ(refused({"export", "a", "--format", "csv", "--from", "5"}),
            "--from, --to: there is no snapshot in this time range; `mote info RUN` lists the "
            "snapshots of a run\n");
}

TEST_F(Files, AreExportedExactlyAndNothingIsOverwritten) {
  const std::string snapshot = "a/snapshots/snapshot_0001.h5";
  EXPECT_EQ(good({"export", snapshot, "--format", "csv", "--out", "tables"}),
            "tables/snapshot_0001.csv\n");
  const sim::Bodies read = sim::read_bodies_csv(here() / "tables/snapshot_0001.csv",
                                                *engine::unit_system_named("nbody"), "");
  const sim::Bodies expected = sim::read_snapshot(here() / snapshot);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(read.position[i].x, expected.position[i].x);
    EXPECT_EQ(read.velocity[i].y, expected.velocity[i].y);
    EXPECT_EQ(read.mass[i], expected.mass[i]);
  }
  const std::vector<std::string> again{"export", snapshot, "--format", "csv", "--out", "tables"};
  EXPECT_EQ(refused(again),
            "tables/snapshot_0001.csv: already exists; overwrite with --force, or choose --out\n");
  std::vector<std::string> forced = again;
  forced.emplace_back("--force");
  good(forced);
  EXPECT_EQ(refused({"export", snapshot, "--format", "hdf5", "--force"}),
            snapshot + ": would overwrite itself; choose another folder with --out\n");
  good({"export", snapshot, "--format", "hdf5", "--compress", "--out", "packed"});
  EXPECT_EQ(call({"diff", snapshot, "packed/snapshot_0001.h5"}).code, 0);
}

TEST_F(Files, ThatCannotBeExportedAreSaidBeforeAnythingIsWritten) {
  EXPECT_EQ(refused({"export", "a", "--format", "vtp"}),
            "--format: unknown format \"vtp\"; did you mean 'vtk'?\n");
  EXPECT_EQ(refused({"export", "a", "--format", "csv", "--columns", "speed"}),
            "--columns: unknown column \"speed\"; known: id, position, velocity, mass, species, "
            "acceleration, potential\n");
  EXPECT_NE(refused({"export", "tables", "--format", "csv"}).find("tables: no such file; "),
            std::string::npos);
  ran("b", {});
  EXPECT_EQ(refused({"export", "a", "b", "--format", "npz", "--out", "c"}),
            "b/snapshots/snapshot_0000.h5: has the same name as another one exported to c; export "
            "them one by one, each with its own --out\n");
  write(here() / "a/snapshots/snapshot_0003.h5", "not HDF5");
  EXPECT_NE(refused({"export", "a", "--format", "npz"})
                .find("snapshot_0003.h5: is not a valid HDF5 file"),
            std::string::npos);
  EXPECT_FALSE(fs::exists(here() / "a/export"));
  EXPECT_FALSE(fs::exists(here() / "c"));
}

TEST_F(Files, AreNotExportedThroughALinkInTheRun) {
  fs::create_directory(here() / "elsewhere");
  fs::create_directory_symlink(here() / "elsewhere", here() / "a/export");
  EXPECT_EQ(refused({"export", "a", "--format", "csv"}),
            "a/export: is a symbolic link; name the folder to write to with --out\n");
  EXPECT_TRUE(fs::is_empty(here() / "elsewhere"));
  good({"export", "a", "--format", "csv", "--out", "a/export", "--quiet"});
  EXPECT_FALSE(fs::is_empty(here() / "elsewhere"));
}

TEST_F(Files, OfTheSameRunAreIdentical) {
  ran("b", {});
  const std::string said = good({"diff", "a", "b"});
  for (const char* part :
       {"A           a/snapshots/snapshot_0003.h5: 2 bodies, step 100, t = 0.78125\n",
        "state hash  equal\n", "position    equal\n", "velocity    equal\n", "mass        equal\n",
        "series      101 rows in both, equal\n", "\nidentical\n"})
    EXPECT_NE(said.find(part), std::string::npos) << part << said;
}

TEST_F(Files, OfRunsThatDifferSayWhereAndByHowMuch) {
  ran("b", {"--set", "distance=1.000001"});
  const Json said = json({"diff", "a", "b", "--json"}, 4);
  EXPECT_EQ(said["identical"], false);
  EXPECT_EQ(said["same_hash"], false);
  EXPECT_EQ(said["paired"], 2);
  const double relative = said["differences"]["position"]["relative"];
  EXPECT_GT(relative, 1e-7);
  EXPECT_LT(relative, 1e-5);
  EXPECT_EQ(said["differences"]["mass"]["same_bits"], true);
  EXPECT_EQ(said["series"]["rows"], 101);
  EXPECT_GT(said["series"]["columns"]["energy"]["absolute"], 0.0);
  EXPECT_EQ(call({"diff", "a", "b", "--tolerance", "1e-4"}).code, 0);
  EXPECT_EQ(call({"diff", "a", "b", "--tolerance", "1e-8"}).code, 4);
  const Result text = call({"diff", "a", "b"});
  EXPECT_EQ(text.code, 4);
  EXPECT_NE(text.out.find("differs by up to "), std::string::npos);
  EXPECT_NE(text.out.find("\ndifferent\n"), std::string::npos);
}

TEST_F(Files, OfRunsWithOtherStepsAreComparedAtEqualTimes) {
  const auto circle = [&](const char* out, const char* dt, const char* every) {
    ASSERT_EQ(call({"run", "circle.lua", "--backend", "cpu", "--set", dt, "--until", "0.3",
                    "--series-steps", every, "--out", out})
                  .code,
              0);
  };
  write(here() / "circle.lua",
        "local dt = param('dt', 0.01)\n"
        "return { gravity = { softening = 0 }, integrator = { dt = dt }, bodies = {\n"
        "{ mass = 0.5, position = { 0.5, 0, 0 }, velocity = { 0, 0.5, 0 } },\n"
        "{ mass = 0.5, position = { -0.5, 0, 0 }, velocity = { 0, -0.5, 0 } } } }");
  circle("whole", "dt=0.01", "10");
  circle("half", "dt=0.005", "10");  // at 0, 0.05, ...
  const Json series = json({"diff", "whole", "half", "--json"}, 4)["series"];
  EXPECT_EQ(series["rows"], 4);  // 0, 0.1, 0.2, 0.3
  EXPECT_EQ(series["only_a"], 0);
  EXPECT_EQ(series["only_b"], 3);
  // The energy error of a leapfrog on a circle is of the order of dt^2 e, and e = 0.
  EXPECT_LT(series["columns"].value("energy", Json::object()).value("relative", 0.0), 1e-6);
}

TEST_F(Files, OfRunsOfWhichOneHasMoreRowsAreEqual) {
  ran("b", {"--series-steps", "5"});
  const std::string said = good({"diff", "a", "b"});
  EXPECT_NE(said.find("\nequal, but for the rows that one alone has\n"), std::string::npos) << said;
  const Json read = json({"diff", "b", "a", "--json"});
  EXPECT_EQ(read["same"], true);
  EXPECT_EQ(read["identical"], false);
}

TEST_F(Files, ThatCannotBeComparedAreRefused) {
  write(here() / "sun.lua",
        "return { units = 'solar', integrator = { dt = 1 }, stop = { steps = 1 }, bodies = { { "
        "mass = 1, "
        "position = { 0, 0, 0 } } } }");
  ASSERT_EQ(mote(here(), {"run", "sun.lua", "--quiet", "--out", "sun"}).code, 0);
  EXPECT_EQ(refused({"diff", "a", "sun"}),
            "sun: is in 'solar' units, but a is in 'nbody'; compare states in the same units\n");
  fs::create_directory(here() / "empty");
  EXPECT_EQ(refused({"diff", "a", "empty"}),
            "empty: does not contain a run; name a folder written by `mote run`, or a snapshot\n");
  fs::create_directories(here() / "sweep/runs");
  write(here() / "sweep/jobs.json", "{}");
  EXPECT_EQ(refused({"export", "sweep", "--format", "csv"}),
            "sweep: is a sweep, not a run; `mote info` and `mote plot` show all of it; or name one "
            "of its runs in sweep/runs\n");
  EXPECT_NE(refused({"diff", "a", "none.h5"}).find("none.h5: no such file; "), std::string::npos);
}

TEST_F(Files, OfARunAreSummedUp) {
  const Json info = json({"info", "a", "--json"});
  EXPECT_EQ(info["kind"], "run");
  EXPECT_EQ(info["title"], "Binary");
  EXPECT_EQ(info["status"], "done");
  EXPECT_EQ(info["steps"], 100);
  EXPECT_EQ(info["time"], 100.0 / 128);
  EXPECT_EQ(info["bodies"], 2);
  EXPECT_EQ(info["parameters"]["distance"], 1.0);
  EXPECT_EQ(info["state_hash"], hash_of(here() / "a"));
  EXPECT_EQ(info["series_rows"], 101);
  ASSERT_EQ(info["snapshots"].size(), 4u);
  EXPECT_EQ(info["snapshots"][0]["step"], 0);
  EXPECT_EQ(info["snapshots"][1]["step"], 40);
  EXPECT_EQ(info["snapshots"][3]["step"], 100);
  const std::string said = good({"info", "a"});
  for (const char* part :
       {"a: run of \"Binary\"\n", "status        done\n", "at            step 100, t = 0.78125\n",
        "parameters    distance = 1\n", "a/snapshots/snapshot_0001.h5: step 40, t = 0.3125\n",
        "snapshots/           4 files, "})
    EXPECT_NE(said.find(part), std::string::npos) << part << said;
}

// A killed run has no run.json or, written by newer versions, one with the status "running".
TEST_F(Files, OfOtherFormatsAreNotReadAndSaidToBe) {
  ran("v",
      {"--snapshot-steps", "40", "--snapshot-format", "vtk,csv", "--checkpoint-final", "never"});
  const std::string problem = "its snapshots are .csv, .vtp, but mote reads only .h5";
  const std::string line =
      "v: " + problem + "; run it again with --snapshot-format hdf5 in addition to the others\n";
  EXPECT_EQ(refused({"diff", "a", "v"}), line);
  EXPECT_EQ(refused({"export", "v", "--format", "xyz"}), line);
  EXPECT_NE(good({"info", "v"}).find("  note          " + problem + "\n"), std::string::npos);
  EXPECT_EQ(good({"info", "a"}).find("  note "), std::string::npos);
}

TEST_F(Files, OfOtherFormatsAreReplacedByCheckpointsWhereThereAreSome) {
  ran("v", {"--snapshot-steps", "40", "--snapshot-format", "csv", "--checkpoint-steps", "40"});
  EXPECT_NE(good({"diff", "a", "v"}).find("\nidentical\n"), std::string::npos);
  const Result exported = call({"export", "v", "--format", "vtk"});
  EXPECT_EQ(exported.code, 0);
  EXPECT_EQ(exported.out, "v/export/checkpoints.pvd: 3 files\n");
  EXPECT_EQ(exported.err,
            "mote: v: its snapshots are .csv, but mote reads only .h5; exporting its checkpoints "
            "instead\n");
}

TEST_F(Files, OfARunThatWasEndedSayWhatThereIs) {
  fs::remove(here() / "a/run.json");
  fs::rename(here() / "a/series.csv", here() / "a/series.csv.part");
  write(here() / "a/series.csv.part", text_of(here() / "a/series.csv.part") + "0.9,1");
  const Json info = json({"info", "a", "--json"});
  EXPECT_EQ(info["status"], "unknown");
  EXPECT_EQ(info["steps"], 100);
  EXPECT_EQ(info["time"], 100.0 / 128);
  EXPECT_TRUE(info["energy_error"].is_number());
  EXPECT_NE(good({"info", "a"}).find("no run.json: in progress, or killed"), std::string::npos);
  for (const char* record :
       {R"({"status": "running"})", R"({"status": "failed", "reason": "disk full", "steps": null})",
        R"([1, 2])", "{ cut off"})
    EXPECT_EQ((write(here() / "a/run.json", record), call({"info", "a"}).code), 0) << record;
  write(here() / "a/run.json", R"({"status": "failed", "reason": "disk full"})");
  EXPECT_NE(good({"info", "a"}).find("status        failed: disk full\n"), std::string::npos);
}

TEST_F(Files, FromWhichARunGoesOnSayHow) {
  const sim::SceneDescription scene = sim::read_scene(here() / "binary.lua");
  const sim::Plan plan = sim::make_plan(scene, {.backend = engine::Backend::cpu});
  const auto simulation = sim::open_simulation(scene, plan);
  simulation->advance(30, [] { return false; });
  fs::create_directory(here() / "a/checkpoints");
  sim::write_checkpoint(here() / "a/checkpoints/checkpoint_0000.h5", *simulation, scene, plan, {});
  write(here() / "a/checkpoints/checkpoint_0001.h5", "cut off");
  const Json file = json({"info", "a/checkpoints/checkpoint_0000.h5", "--json"});
  EXPECT_EQ(file["kind"], "checkpoint");
  EXPECT_EQ(file["steps"], 30);
  EXPECT_EQ(file["parameters"]["distance"], 1.0);
  EXPECT_EQ(file["backend"], "cpu");
  EXPECT_EQ(file["goes_on"], "mote view a/checkpoints/checkpoint_0000.h5");
  Json run = json({"info", "a", "--json"});
  EXPECT_FALSE(run.contains("goes_on")) << "it is done";
  ASSERT_EQ(run["checkpoints"].size(), 2u);
  EXPECT_EQ(run["checkpoints"][0]["step"], 30);
  EXPECT_TRUE(
      run["checkpoints"][1]["problem"].get<std::string>().starts_with("is not a valid HDF5 file"));
  fs::remove(here() / "a/run.json");
  EXPECT_EQ(json({"info", "a", "--json"})["goes_on"], "mote resume a");
  EXPECT_NE(good({"info", "a"}).find("  resume with   mote resume a\n"), std::string::npos);
}

TEST_F(Files, OfOneStateSayWhatTheyHold) {
  const Json info = json({"info", "a/snapshots/snapshot_0001.h5", "--json"});
  EXPECT_EQ(info["kind"], "snapshot");
  EXPECT_EQ(info["steps"], 40);
  EXPECT_EQ(info["columns"], Json::array({"id", "position", "velocity", "mass"}));
  EXPECT_NE(good({"info", "a/snapshots/snapshot_0000.h5"}).find("snapshot of \"Binary\"\n"),
            std::string::npos);
  EXPECT_EQ(
      refused({"info", "binary.lua"}),
      "binary.lua: is a scene, not a run or a snapshot; `mote check binary.lua` describes and "
      "checks it\n");
  fs::copy(here() / "binary.lua", here() / "binary.h5");
  EXPECT_NE(refused({"info", "binary.h5"}).find("binary.h5: is not a valid HDF5 file"),
            std::string::npos);
}

// One process per file would take a minute for ten thousand files.
TEST_F(Files, OfARunAreAllToldOfByOneReader) {
  for (int i = 4; i < 300; ++i)
    fs::copy(here() / "a/snapshots/snapshot_0001.h5",
             here() / fmt::format("a/snapshots/snapshot_{:04}.h5", i));
  write(here() / "damaged", "no HDF5");
  fs::copy(here() / "damaged", here() / "a/snapshots/snapshot_0100.h5",
           fs::copy_options::overwrite_existing);
  const fs::path reader =
      write(here() / "reader", "#!/bin/sh\necho >>'" + (here() / "starts").string() + "'\nexec '" +
                                   engine::reader_program().string() + "'\n");
  fs::permissions(reader, fs::perms::owner_all);
  const Result result = run({.arguments = {"info", "a", "--json"},
                             .folder = here(),
                             .environment = {{"MOTE_READ", reader.string()}}});
  ASSERT_EQ(result.code, 0) << result.err;
  const Json info = engine::parse_json(result.out);
  ASSERT_EQ(info["snapshots"].size(), 300u);
  EXPECT_EQ(info["snapshots"][299]["step"], info["snapshots"][1]["step"]);
  EXPECT_NE(info["snapshots"][100]["problem"].get<std::string>().find("is not a valid HDF5 file"),
            std::string::npos);
  EXPECT_EQ(lines_of(text_of(here() / "starts")).size(), 2u);  // restarted after the damaged file
  fs::remove(here() / "starts");
  const Result text = run({.arguments = {"info", "a"},
                           .folder = here(),
                           .environment = {{"MOTE_READ", reader.string()}}});
  EXPECT_NE(text.out.find("    ... 296 more\n"), std::string::npos) << text.out;
  EXPECT_EQ(lines_of(text_of(here() / "starts")).size(), 1u)
      << "only those that are shown are opened";
}

// A machine without memory has not damaged the checkpoint.
TEST_F(Files, AreNotBlamedForAReaderThatWasKilled) {
  ASSERT_EQ(mote(here(), {"run", "binary.lua", "--steps", "10", "--out", "c", "--quiet"}).code, 0);
  // Its greeting is its length and its bytes.
  write(here() / "greeting", engine::Packer().text(engine::reader_greeting()).bytes());
  const fs::path reader =
      write(here() / "reader", "#!/bin/sh\ncat '" + (here() / "greeting").string() +
                                   "' >&0\nhead -c 1 >/dev/null\nkill -KILL $$\n");
  fs::permissions(reader, fs::perms::owner_all);
  const Result result = run({.arguments = {"resume", "c", "--until", "1"},
                             .folder = here(),
                             .environment = {{"MOTE_READ", reader.string()}}});
  EXPECT_EQ(result.code, 1) << result.err;
  EXPECT_TRUE(fs::exists(here() / "c/checkpoints/checkpoint_000000000010.h5"));
}

TEST_F(Files, AreReadByTheReaderBesideAProgramThatWasMoved) {
  fs::create_directory(here() / "moved");
  fs::copy(test::program_path(), here() / "moved/mote");
  fs::permissions(write(here() / "moved/mote-read", "#!/bin/sh\nexit 1\n"), fs::perms::owner_all);
  const std::string words =
      "cd '" + here().string() + "' && moved/mote info a/snapshots/snapshot_0001.h5 2>message";
  EXPECT_EQ(WEXITSTATUS(std::system(words.c_str())), 1);
  const std::string start =
      "mote: start " + (here() / "moved/mote-read").string() + ": it ended immediately";
  EXPECT_EQ(text_of(here() / "message").substr(0, start.size()), start);
}

// Opening a pipe blocks until it has a writer.
TEST_F(Files, ThatArePipesAreNotWaitedFor) {
  for (const char* name : {"p.json", "p.lua", "p.h5"})
    ASSERT_EQ(::mkfifo((here() / name).c_str(), 0600), 0);
  for (const std::vector<std::string>& words : {std::vector<std::string>{"check", "p.json"},
                                                {"check", "p.lua"},
                                                {"sweep", "p.json"},
                                                {"run", "binary.lua", "--replay", "p.json"}})
    EXPECT_NE(refused(words), "");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"info", "p.h5"}, {"diff", "a", "p.h5"}})
    EXPECT_EQ(refused(words), "p.h5: is not a file; check the path and its permissions\n");
}

TEST_F(Files, OfSurfacesAreMeshesOfFluidAndObstacles) {
  if (!drawing_here(here()).missing.empty()) GTEST_SKIP() << "a build without pictures";
  write(here() / "drop.lua",
        "return { fluid = { spacing = 0.1, largest_speed = 1 }, integrator = { dt = 1e-4 }, "
        "bodies = { lattice { counts = { 6, 6, 6 }, spacing = 0.1, mass = 0.216 } } }");
  good({"run", "drop.lua", "--steps", "2", "--snapshot-steps", "1", "--out", "drop", "--quiet"});
  EXPECT_EQ(good({"export", "drop", "--format", "ply"}),
            "drop/export/snapshot_0000.ply\ndrop/export/snapshot_0001.ply\n"
            "drop/export/snapshot_0002.ply\n");
  const std::string ply = text_of(here() / "drop/export/snapshot_0001.ply");
  EXPECT_NE(ply.find("comment part 0: fluid\nelement vertex "), std::string::npos);
  EXPECT_NE(refused({"export", "drop", "--format", "ply"}).find("already exists; overwrite with"),
            std::string::npos);
  good({"export", "drop/snapshots/snapshot_0002.h5", "--format", "obj", "--out", "meshes"});
  EXPECT_TRUE(
      text_of(here() / "meshes/snapshot_0002.obj").starts_with("# written by mote\no fluid\n"));
  write(here() / "ball.lua",
        "return { grains = { radius = 0.1, density = 1, young_modulus = 1e3 }, integrator = { dt = "
        "1e-3 }, obstacles = { sphere { center = { 0, 0, -2 }, radius = 0.5 }, box { center = { 5, "
        "0, 0 }, size = { 1, 1, 1 } } }, bodies = { { position = { 0, 0, 0 } } } }");
  good({"run", "ball.lua", "--steps", "1", "--out", "ball", "--quiet"});
  good({"export", "ball", "--format", "ply"});
  EXPECT_NE(text_of(here() / "ball/export/snapshot_0000.ply")
                .find("comment part 0: obstacle_1\ncomment part 1: obstacle_2\n"),
            std::string::npos);
  EXPECT_NE(refused({"export", "a", "--format", "obj"}).find("its scene has no surfaces"),
            std::string::npos);
  EXPECT_FALSE(fs::exists(here() / "a/export"));
}

}  // namespace
}  // namespace mote::test
