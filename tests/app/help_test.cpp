// What the program says about itself, its scenes and its machine: help, lists, reports.
#include "engine/json.h"
#include "engine/machine.h"
#include "tests/app/commands_fixture.h"
#include "tests/support/places.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

TEST_F(Commands, HelpListsCommandsAndExitCodes) {
  for (const auto& words : {std::vector<std::string>{"help"}, {"--help"}, {"-h"}})
    expect_all(good(words), {"view", "run", "check", "new", "list", "schema", "doctor", "bench",
                             "selftest", "help", "\nUsage: mote [OPTIONS] COMMAND\n",
                             "Exit codes: 0 done", "\nSimulating:\n", "\nScenes:\n", "\nResults:\n",
                             "\nThis machine:\n", "\nHelp:\n"});
}

TEST_F(Commands, HelpOfACommandListsItsOptions) {
  expect_all(good({"help", "run"}),
             {"Usage: mote run [OPTIONS] [SCENE]\n", "\nComputing:\n",
              "\n  --backend auto|cpu|cuda", "--until", "--steps", "--set", "--force"});
  EXPECT_EQ(good({"run", "--help"}), good({"help", "run"}));
  EXPECT_EQ(wrong({"help", "xyzzy"}),
            "help xyzzy: no such command, table, key, scene or document; `mote help` lists the "
            "commands, `mote schema` all keys\n");
}

TEST_F(Commands, HelpFitsIntoATerminal) {
  std::vector<std::vector<std::string>> pages{{"help"}, {"list"}, {"schema", "fluid"}};
  for (const char* command : {"view", "run", "sweep", "export", "bench"})
    pages.push_back({"help", command});
  for (const auto& page : pages)
    for (const std::string& line : lines_of(good(page))) EXPECT_LT(line.size(), 80u) << line;
}

TEST_F(Commands, HelpOfAKeyIsItsEntryInEveryTable) {
  const std::string text = good({"help", "softening"});
  expect_all(text, {"gravity.softening", "point_mass.softening",
                    "number [length]; >= 0; default: 0; live"});
  expect_all(good({"help", "view"}), {"Usage: mote view", "Table view:", "exposure"});
  EXPECT_EQ(
      wrong({"help", "sofening"}),
      "help sofening: no such command, table, key, scene or document; did you mean 'mote help "
      "softening'?\n");
}

TEST_F(Commands, HelpOfAPathIsTheEntryOfOneTable) {
  const std::string text = good({"help", "integrator.dt"});
  expect_all(text, {"integrator.dt", "time step"});
  EXPECT_EQ(text.find("hand"), std::string::npos) << text;
  expect_all(good({"help", "view.camera"}), {"Table view.camera:", "azimuth"});
  expect_all(good({"help", "view.camera.azimuth"}), {"view.camera.azimuth"});
}

TEST_F(Commands, HelpSearchesForOtherWords) {
  const std::string energy = good({"help", "energy"});
  expect_all(energy, {"Keys of scenes:", "health.energy_error", "Scenes that come with mote:"});
  expect_all(good({"help", "film"}), {"first-film.md"});
  // "poisson" is near, but not what is meant.
  EXPECT_EQ(wrong({"help", "piston"}),
            "help piston: no such command, table, key, scene or document; `mote help` lists the "
            "commands, `mote schema` all keys\n");
}

TEST_F(Commands, ListGuessesWhatIsMeant) {
  EXPECT_EQ(wrong({"list", "pendulm"}),
            "list pendulm: no scene or building block has this text; did you mean 'mote list "
            "pendulum'?\n");
}

TEST_F(Commands, SchemaOfATableIsThatTableAlone) {
  const std::string text = good({"schema", "grains"});
  const engine::Json schema = engine::parse_json(good({"schema", "--json"}));
  for (const auto& [key, about] : schema.at("grains").at("keys").items())
    expect_all(text, {"\n  " + key + " "});
  EXPECT_EQ(text.find("gravity"), std::string::npos);
  EXPECT_EQ(engine::parse_json(good({"schema", "grains", "--json"})), schema.at("grains"));
  EXPECT_EQ(wrong({"schema", "grians"}),
            "schema grians: no such table of scenes; did you mean 'grains'?\n");
  EXPECT_EQ(wrong({"schema", "grains", "--lua"}),
            "--lua: prints all tables at once; leave out grains\n");
}

TEST_F(Commands, HelpKeysIsTheTableInTheDocs) {
  const Result result = mote(here(), {"help", "keys", "--markdown"});
  if (result.code == 2 && result.err.find("MOTE_RENDER") != std::string::npos)
    GTEST_SKIP() << result.err;
  EXPECT_EQ(result.code, 0) << result.err;
  expect_all(result.out, {"| `Space` | run or pause |\n", "| left drag | rotate |\n"});
  EXPECT_NE(
      text_of(fs::path(test::source_dir()) / "docs/window.md").find("\n\n" + result.out + "\n"),
      std::string::npos)
      << "the table of keys in docs/window.md is not the output of `mote help keys --markdown`:\n"
      << result.out;
  expect_all(good({"help", "keys"}), {"  Ctrl+S    ", "  left drag    "});
  EXPECT_EQ(good({"help", "keys"}).find('|'), std::string::npos);
}

TEST_F(Commands, ListNamesScenesAndParts) {
  expect_all(good({"list"}), {"kepler ", "galaxies ", "Galaxy collision", "gravity.direct",
                              "leapfrog", "yoshida6", "plummer", "uniform_sphere", "disk", "csv"});
}

TEST_F(Commands, ListGroupsScenesBySubject) {
  const std::string text = good({"list"});
  const std::size_t grains = text.find("Scenes of grains:"),
                    gravity = text.find("Scenes of gravity:");
  ASSERT_NE(grains, std::string::npos);
  ASSERT_NE(gravity, std::string::npos);
  EXPECT_GT(text.find("  hourglass "), grains);
  EXPECT_LT(text.find("  hourglass "), gravity);
  EXPECT_GT(text.find("  kepler "), gravity);
}

TEST_F(Commands, ListFindsScenesByNameTitleAndDescription) {
  const std::string text = good({"list", "GALAX"});
  expect_all(text, {"  galaxies ", "  disk_galaxy ", "  tidal_cluster "});
  EXPECT_EQ(text.find("kepler"), std::string::npos);
  EXPECT_EQ(text.find("leapfrog"), std::string::npos);
  expect_all(good({"list", "yoshida"}), {"yoshida4", "yoshida6"});
  EXPECT_EQ(wrong({"list", "xyzzy"}),
            "list xyzzy: no scene or building block has this text; `mote list` lists all, `mote "
            "help KEY` describes keys of scenes\n");
}

TEST_F(Commands, ListAsJsonHasScenesWithTheirParameters) {
  const engine::Json all = engine::parse_json(good({"list", "--json"}));
  EXPECT_GT(all.size(), 30u);
  const engine::Json kepler = engine::parse_json(good({"list", "--json", "kepler"})).at(0);
  EXPECT_EQ(kepler.at("name"), "kepler");
  EXPECT_EQ(kepler.at("title"), "Kepler ellipse");
  EXPECT_EQ(kepler.at("subject"), "gravity");
  EXPECT_EQ(kepler.at("bodies"), 2);
  EXPECT_TRUE(kepler.at("params").contains("eccentricity"));
}

TEST_F(Commands, ListGoesOnAfterASceneWithErrors) {
  write(here() / "scenes/bad.lua", "return {}");
  write(here() / "scenes/good.lua", binary_scene);
  const Result result =
      run({.arguments = {"list"}, .environment = {{"MOTE_SCENES", here() / "scenes"}}});
  EXPECT_EQ(result.code, 0);
  expect_all(result.out, {"bad                  has errors: mote check bad\n",
                          "good                         2 bodies  Binary\n"});
}

TEST_F(Commands, DoctorSaysWhatIsThere) {
  expect_all(good({"doctor"}), {"mote         " + engine::build_info().version, "\nsystem ",
                                "\nprocessor ", "\nmemory ", "\nSIMD ", "\nCUDA ", "\nOpenGL ",
                                "\nserving ", "\nffmpeg ", "\nscenes "});
}

TEST_F(Commands, DoctorBundlesWhatABugReportNeeds) {
  write(here() / "binary.lua", binary_scene);
  good({"run", "binary.lua", "--steps", "3", "--out", "ran", "--quiet"});
  write(here() / "private.txt", "secret");
  write(here() / "ran/private.txt", "secret");
  const std::string said = good({"doctor", "--bundle"});
  EXPECT_EQ(said.find("mote-report.zip: written, with\n"), 0u);
  expect_all(said, {"\n  doctor.txt ", "\n  run/log.txt ", "\n  run/run.json ",
                    "\n  run/scene.lua ", "\nThe run is ran. "});
  const std::string bundle = text_of(here() / "mote-report.zip");
  expect_all(bundle, {good({"doctor"}).substr(0, 40), text_of(here() / "ran/log.txt"),
                      text_of(here() / "ran/run.json"), binary_scene});
  EXPECT_EQ(bundle.find("secret"), std::string::npos);
  EXPECT_EQ(good({"doctor", "--bundle", "named.zip", "--run", "ran"}).find("named.zip: written"),
            0u);
  EXPECT_EQ(text_of(here() / "named.zip").size(), bundle.size());
}

// A run that was received from others could lead to files of this machine.
TEST_F(Commands, DoctorBundlesNothingThatALinkLeadsTo) {
  write(here() / "binary.lua", binary_scene);
  write(here() / "private/key.lua", "secret");
  for (const char* one : {"scene.lua", "run.json", "log.txt"}) {
    good({"run", "binary.lua", "--steps", "3", "--out", "ran", "--quiet", "--force"});
    fs::remove(here() / "ran" / one);
    fs::create_symlink(here() / "private/key.lua", here() / "ran" / one);
    fs::remove_all(here() / "ran/scene");
    fs::create_directory_symlink(here() / "private", here() / "ran/scene");
    const std::string said = good({"doctor", "--bundle", "linked.zip", "--run", "ran"});
    expect_all(said, {"Left out, since it is a symbolic link: ran/" + std::string(one) + "\n",
                      "Left out, since it is a symbolic link: ran/scene\n"});
    EXPECT_EQ(text_of(here() / "linked.zip").find("secret"), std::string::npos) << one;
    fs::remove(here() / "linked.zip");
    fs::remove_all(here() / "ran");
  }
}

TEST_F(Commands, DoctorBundlesItsReportAloneWhereNothingHasRun) {
  const std::string said = good({"doctor", "--bundle", "report.zip"});
  expect_all(said, {"doctor.txt", "No run is in it"});
  EXPECT_EQ(said.find("run.json"), std::string::npos);
}

TEST_F(Commands, DoctorNeverWritesABundleOverAFile) {
  write(here() / "mine.zip", "mine");
  EXPECT_EQ(wrong({"doctor", "--bundle", "mine.zip"}),
            "mine.zip: already exists; name another file, or remove it first\n");
  EXPECT_EQ(text_of(here() / "mine.zip"), "mine");
  EXPECT_EQ(wrong({"doctor", "--bundle", "new.zip", "--run", "nowhere"}),
            "--run nowhere: is not a run folder; name one that has a run.json or a log.txt\n");
  EXPECT_FALSE(fs::exists(here() / "new.zip"));
}

}  // namespace
}  // namespace mote::test
