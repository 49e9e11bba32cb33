// Commands that do not run a simulation, and the program without a command.
#include <gtest/gtest.h>

#include "engine/json.h"
#include "engine/machine.h"
#include "tests/app/commands_fixture.h"
#include "tests/support/places.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

TEST_F(Commands, VersionIsThatOfTheBuild) {
  EXPECT_EQ(good({"--version"}), "mote " + engine::build_info().version + "\n");
}

TEST_F(Commands, OptionsOfOtherProgramsNameWhatIsMeant) {
  EXPECT_EQ(good({"-V"}), good({"--version"}));
  EXPECT_EQ(wrong({"-v"}), "-v: unknown option; did you mean 'mote -V', the version?\n");
  EXPECT_EQ(wrong({"run", "plummer", "-n", "5"}), "-n: unknown option; did you mean --set n=5?\n");
  EXPECT_EQ(wrong({"run", "plummer", "--softening", "0.1"}),
            "--softening: unknown option; did you mean --set softening=0.1?\n");
  EXPECT_EQ(wrong({"run", "kepler", "--integrator.dt", "0.1"}),
            "--integrator.dt: unknown option; did you mean --set integrator.dt=0.1?\n");
  EXPECT_EQ(wrong({"run", "kepler", "--courant", "0.1"}),
            "--courant: unknown option; `mote help run` lists the options\n");
  EXPECT_EQ(wrong({"run", "plummer", "--softening=0.2"}),
            "--softening=0.2: unknown option; did you mean --set softening=0.2?\n");
  EXPECT_EQ(wrong({"run", "kepler", "--dry-run"}),
            "--dry-run: unknown option; `mote check SCENE` makes all checks of a run and writes "
            "nothing\n");
  EXPECT_EQ(wrong({"run", "kepler", "--untill", "3"}),
            "--untill: unknown option; did you mean '--until'?\n");
  EXPECT_EQ(wrong({"run", "kepler", "-n"}),
            "-n: unknown option; `mote help run` lists the options\n");
}

TEST_F(Commands, OptionsNearAnUnknownOneAreNamed) {
  EXPECT_EQ(wrong({"run", "kepler", "-o", "q3"}), "-o: unknown option; did you mean '--out'?\n");
  EXPECT_EQ(wrong({"run", "kepler", "--snapshots", "10"}),
            "--snapshots: unknown option; did you mean --snapshot-steps or --snapshot-time or "
            "--snapshot-format or --snapshot-columns?\n");
  EXPECT_EQ(wrong({"run", "kepler", "--screenshot", "a.png"}),
            "--screenshot: unknown option; did you mean '--picture'?\n");
  EXPECT_EQ(wrong({"run", "nothing_of_this_name", "--q", "3"}),
            "--q: unknown option; `mote help run` lists the options\n");
}

TEST_F(Commands, AnOwnSceneIsFoundByItsNameLikeOneThatComesWithMote) {
  good({"new", "my_scene"});
  expect_all(good({"check", "my_scene"}), {"my_scene.lua: good, 1,001 bodies"});
  expect_all(mote(here(), {"my_scene", "--steps", "2", "--set", "n=20", "--backend", "cpu"}).out,
             {"done: 21 bodies, 2 steps"});
  expect_all(mote(here(), {"run", "my_scene", "--steps", "2", "--set", "n=20"}).out,
             {"done: 21 bodies, 2 steps"});
  // Scenes that come with mote go first, so that their names mean the same everywhere.
  write(here() / "kepler.lua", "return {}");
  expect_all(good({"check", "kepler"}), {"/kepler.lua: good"});
}

TEST_F(Commands, InfoTakesTheFolderOfRunsThatNameNone) {
  EXPECT_NE(wrong({"info"}).find("path is required"), std::string::npos);
  write(here() / "binary.lua", binary_scene);
  good({"run", "binary.lua", "--steps", "3", "--quiet"});
  EXPECT_EQ(good({"info"}), good({"info", "out"}));
}

TEST_F(Commands, ScenesAreFoundByTheirWordsToo) {
  const auto said = [&](const std::string& word) {
    const std::string message = wrong({"run", word});
    const std::string begin =
        word + ": no such scene file; did you mean one of the scenes that come with mote: ";
    EXPECT_EQ(message.substr(0, begin.size()), begin);
    return message;
  };
  expect_all(said("galaxy"), {"disk_galaxy", "galaxies"});
  expect_all(said("Solar"), {"outer_solar_system"});
  expect_all(said("jupiter"), {"moons"});
  EXPECT_EQ(wrong({"run", "xyzzy"}),
            "xyzzy: no such scene file; `mote list` lists the scenes that come with mote\n");
}

TEST_F(Commands, FilesThatAreNoScenesNameTheCommandThatTakesThem) {
  write(here() / "binary.lua", binary_scene);
  good({"run", "binary.lua", "--steps", "3", "--out", "ran", "--quiet"});
  const std::string record = "ran/run.json", snapshot = "ran/snapshots/snapshot_0000.h5";
  for (const char* command : {"run", "check"})
    EXPECT_EQ(
        wrong({command, record}),
        record +
            ": is not a scene but the run.json of a run; repeat that run with `mote run --replay " +
            record + "`\n");
  EXPECT_EQ(wrong({"check", snapshot}),
            snapshot +
                ": is not a scene but a snapshot or a checkpoint; continue a checkpoint with `mote "
                "run " +
                snapshot + "`, or in a window with `mote view " + snapshot + "`\n");
  EXPECT_EQ(wrong({"run", "nothing.h5"}).find("nothing.h5: no such scene file"), 0u);
}

// The first picture of a new build on a machine without a display takes seconds, not a minute.
TEST_F(Commands, WithoutADisplayAndAGpuTheDefaultSceneIsOneForAProcessor) {
  const Result few =
      run({.arguments = {"--backend", "cpu", "--steps", "1", "--out", "few"}, .folder = here()});
  EXPECT_EQ(few.code, 0) << few.err;
  EXPECT_NE(few.err.find("4,096 bodies instead of 16,384"), std::string::npos) << few.err;
  EXPECT_EQ(json_of(here() / "few/run.json").at("bodies"), 4096);
  const Result asked =
      run({.arguments = {"--backend", "cpu", "--steps", "1", "--set", "n=100", "--out", "asked"},
           .folder = here()});
  EXPECT_EQ(asked.code, 0) << asked.err;
  EXPECT_EQ(json_of(here() / "asked/run.json").at("bodies"), 100);
}

TEST_F(Commands, CheckSaysGoodOrPrintsTheSceneInFull) {
  write(here() / "binary.lua", binary_scene);
  EXPECT_EQ(lines_of(good({"check", "binary.lua"})).at(0), "binary.lua: good, 2 bodies, Binary");
  const engine::Json scene =
      engine::parse_json(good({"check", "--json", "binary.lua", "--set", "distance=2"}));
  EXPECT_EQ(scene.at("units"), "nbody");
  EXPECT_EQ(scene.at("bodies").at(0).at("position").at(0), -1.0);
}

TEST_F(Commands, CheckOfNothingSuggestsANearName) {
  EXPECT_EQ(wrong({"check", "keplr"}),
            "keplr: no such scene file; did you mean 'kepler', which comes with mote?\n");
  EXPECT_EQ(wrong({"check", "nothing.lua"}),
            "nothing.lua: no such scene file; `mote list` lists the scenes that come with mote\n");
  fs::create_directory(here() / "folder");
  EXPECT_EQ(
      wrong({"check", "folder"}),
      "folder: is a folder, not a scene file; name a file in it that ends in .lua or .json\n");
  write(here() / "scene.txt", "return {}");
  EXPECT_EQ(wrong({"check", "scene.txt"}),
            "scene.txt: is not a scene; scenes end in .lua or .json\n");
}

TEST_F(Commands, AFolderDoesNotHideAShippedScene) {
  fs::create_directory(here() / "kepler");
  EXPECT_NE(good({"check", "kepler"}).find("kepler.lua: good, 2 bodies"), std::string::npos);
}

TEST_F(Commands, SchemaIsTheReferenceInTheDocs) {
  EXPECT_EQ(good({"schema"}), text_of(fs::path(test::source_dir()) / "docs/scenes.md"))
      << "write it anew: mote schema > docs/scenes.md";
}

TEST_F(Commands, SchemaNamesTheTablesOfAScene) {
  std::string tables;
  const std::string text = good({"schema"});
  for (const std::string& line : lines_of(text))
    if (line.starts_with("| `grains`, ")) tables = line;
  expect_all(tables, {"`soft`", "`gravity`", "`fluid`", "`thermostat`", "`view`", "| table |"});
  expect_all(text, {"| `fields` | table or list |", "| `bonds` | table or list |"});
}

TEST_F(Commands, AnnotationsForEditorsAreThoseOfTheSchema) {
  const std::string text = good({"schema", "--lua"});
  EXPECT_EQ(text, text_of(fs::path(test::source_dir()) / "scenes/mote.lua"))
      << "write it anew: mote schema --lua > scenes/mote.lua";
  const engine::Json schema = engine::parse_json(good({"schema", "--json"}));
  for (const auto& [table, about] : schema.items()) {
    if (table == "group") continue;                               // represented by its functions
    const std::string word = table == "field" ? "" : "(exact) ";  // which has numbers of any name
    const std::size_t at = text.find("---@class " + word + "mote." + table + "\n");
    ASSERT_NE(at, std::string::npos) << table;
    const std::string fields = text.substr(at, text.find("\n\n", at) - at);
    for (const auto& [key, described] : about.at("keys").items()) {
      if (key == "NAME") continue;  // any other
      EXPECT_NE(fields.find("---@field " + key + (described.contains("required") ? " " : "? ")),
                std::string::npos)
          << table << "." << key;
    }
  }
  EXPECT_EQ(good({"list"}).find("mote.lua"), std::string::npos);
  EXPECT_EQ(good({"list"}).find("has errors"), std::string::npos) << "they are no scene";
}

TEST_F(Commands, NewWritesASceneThatRuns) {
  EXPECT_EQ(good({"new", "first_try"}),
            "first_try.lua: written\n`mote first_try.lua` shows it, `mote run first_try.lua` "
            "runs it, `mote "
            "check first_try.lua` checks it\n");
  EXPECT_EQ(lines_of(good({"check", "first_try.lua"})).at(0),
            "first_try.lua: good, 1,001 bodies, First try");
  good({"run", "first_try.lua", "--set", "n=50", "--steps", "20", "--out", "ran", "--quiet"});
  EXPECT_EQ(json_of(here() / "ran/run.json").at("bodies"), 51);
  EXPECT_NE(text_of(here() / "first_try.lua").find("mote run first_try.lua --set n=500"),
            std::string::npos);
  for (const std::string& line : lines_of(text_of(here() / "first_try.lua")))
    EXPECT_LE(line.size(), 120u) << line;
}

TEST_F(Commands, NewNeverWritesOverAFile) {
  write(here() / "mine.lua", "return {}");
  for (const char* name : {"mine", "mine.lua"})
    EXPECT_EQ(wrong({"new", name}),
              "mine.lua: already exists; choose another name, or remove it first\n");
  EXPECT_EQ(text_of(here() / "mine.lua"), "return {}");
  EXPECT_EQ(wrong({"new", "kepler"}),
            "kepler.lua: is the name of a scene that comes with mote; choose another name\n");
  EXPECT_EQ(wrong({"new", "a]]b"}),
            "a]]b.lua: is not a valid name for a scene; use only letters, digits, - and _\n");
  EXPECT_EQ(wrong({"new", "nowhere/mine"}),
            "nowhere/mine.lua: cannot be written; check that its folder exists and is writable\n");
  EXPECT_FALSE(fs::exists(here() / "kepler.lua"));
}

TEST_F(Commands, ASceneByItsBareNameSaysWhichFileIsMissing) {
  write(here() / "scene.lua",
        "return { integrator = { dt = 1 }, bodies = { csv { file = 'no.csv' } } }");
  EXPECT_EQ(wrong({"check", "scene.lua"}),
            "scene.lua:1: bodies.1.file: no such file: no.csv; paths are relative to the folder of "
            "the scene\n");
}

TEST_F(Commands, CheckTellsEditorsTheLine) {
  write(here() / "wrong.lua", "return {\n  titel = 1,\n}\n");
  const Result result = mote(here(), {"check", "--json", "wrong.lua"});
  const engine::Json problem = engine::parse_json(result.out).at("problems").back();
  EXPECT_EQ(problem.at("file"), "wrong.lua");
  EXPECT_EQ(problem.at("line"), 2);
}

TEST_F(Commands, SchemaAsDataHasTheSameKeys) {
  const engine::Json schema = engine::parse_json(good({"schema", "--json"}));
  const std::string page = good({"schema"});
  for (const auto& [table, about] : schema.items()) {
    expect_all(page, {"\n## " + table + "\n"});
    for (const auto& [key, described] : about.at("keys").items()) {
      expect_all(page, {"\n| `" + key + "` | "});
      EXPECT_NE(described.at("help"), "") << table << "." << key;
    }
  }
  EXPECT_EQ(schema.at("gravity").at("keys").at("softening").at("minimum"), 0.0);
  EXPECT_EQ(schema.at("fluid").at("keys").at("spacing").at("required"), true);
}

TEST_F(Commands, MisspeltOnesSuggestTheRightOne) {
  EXPECT_EQ(wrong({"rnu", "kepler"}), "rnu: no such command or scene; did you mean 'mote run'?\n");
  EXPECT_EQ(wrong({"xyzzy"}),
            "xyzzy: no such scene file; `mote list` lists the scenes that come with mote\n");
  EXPECT_EQ(wrong({"schema", "--jsn"}), "--jsn: unknown option; did you mean '--json'?\n");
  EXPECT_EQ(wrong({"--unknown"}),
            "--unknown: unknown option; `mote help view` lists the options\n");
}

TEST_F(Commands, OfOtherProgramsAreNoScenes) {
  EXPECT_EQ(wrong({"open", "moons"}), "open: no such command; `mote help` lists the commands\n");
}

TEST_F(Commands, NoneRunsTheDefaultScene) {
  write(here() / "scenes/galaxies.lua", binary_scene);
  write(here() / "work/empty", "");
  const Result result = run({.arguments = {},
                             .folder = here() / "work",
                             .environment = {{"MOTE_SCENES", here() / "scenes"}}});
  EXPECT_EQ(result.code, 0) << result.err;
  expect_all(result.out, {"done: 2 bodies, 100 steps", "  out: run.json"});
  EXPECT_EQ(json_of(here() / "work/out/run.json").at("status"), "done");
}

TEST_F(Commands, ASceneAloneIsViewed) {
  write(here() / "binary.lua", binary_scene);
  expect_all(mote(here(), {"binary.lua", "--steps", "3"}).out, {"done: 2 bodies, 3 steps"});
}

}  // namespace
}  // namespace mote::test
