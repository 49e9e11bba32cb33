// Every scene that comes with mote, small and for a few steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <regex>

#include "engine/json.h"
#include "engine/machine.h"
#include "tests/app/program.h"
#include "tests/app/scenes.h"
#include "tests/support/places.h"
#include "tests/support/sanitized.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

std::string test_name(const testing::TestParamInfo<std::string>& scene) {
  return scene.param;
}

class ShippedScene : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    MOTE_SKIP_IF_SANITIZED("long; GalleryEnergy.* read and run the same scenes");
  }
};

TEST_P(ShippedScene, GivesTheSameBitsFromItsExpandedJson) {
  const TemporaryFolder folder;
  const fs::path scene = scenes_folder / (GetParam() + ".lua");
  std::vector<std::string> small{"--set", "n=128"};
  if (mote(folder.path(), {"check", scene, "--set", "n=128"}).code != 0)
    small.clear();  // it has a fixed number

  std::vector<std::string> words{"check", "--json", scene};
  words.insert(words.end(), small.begin(), small.end());
  const Result expanded = mote(folder.path(), words);
  ASSERT_EQ(expanded.code, 0) << expanded.err;
  write(folder.path() / "expanded.json", expanded.out);

  words = {"run", scene, "--steps", "4", "--out", "from-lua"};
  words.insert(words.end(), small.begin(), small.end());
  const Result from_lua = mote(folder.path(), words);
  ASSERT_EQ(from_lua.code, 0) << from_lua.err;
  // Its energy is as it should be. Few bodies, or none to spare, may want a shorter step.
  EXPECT_EQ(json_of(folder.path() / "from-lua/run.json").value("warning", "").find("energy"),
            std::string::npos)
      << from_lua.out;
  const Result from_json =
      mote(folder.path(), {"run", "expanded.json", "--steps", "4", "--out", "from-json"});
  ASSERT_EQ(from_json.code, 0) << from_json.err;
  EXPECT_EQ(hash_of(folder.path() / "from-json"), hash_of(folder.path() / "from-lua"));
}

/// The comment at the beginning of a scene, as one line.
std::string comment_of(const fs::path& scene) {
  std::string all;
  for (const std::string& line : lines_of(text_of(scene))) {
    if (!line.starts_with("--")) break;
    all += line.substr(2);
  }
  return all;
}

TEST_P(ShippedScene, SaysWhatItShowsAndWhereItComesFrom) {
  const fs::path scene = scenes_folder / (GetParam() + ".lua");
  const std::string comment = comment_of(scene);
  for (const char* word : {" Shows: ", " Source: "})
    EXPECT_NE(comment.find(word), std::string::npos) << word;
  EXPECT_LE(lines_of(text_of(scene)).size(), 60u);
  const fs::path docs = fs::path(test::source_dir()) / "docs";
  EXPECT_NE(text_of(docs / "gallery.md").find("images/gallery/" + GetParam() + ".png"),
            std::string::npos)
      << "draw it: script/gallery " << GetParam();
  EXPECT_TRUE(fs::exists(docs / "images/gallery" / (GetParam() + ".png")));
  EXPECT_NE(text_of(scenes_folder / "README.md").find("| `" + GetParam() + "` |"),
            std::string::npos);
}

/// The largest relative energy error of a run, of either sign.
double largest_energy_error(const fs::path& run) {
  const std::vector<std::string> lines = lines_of(text_of(run / "series.csv"));
  const auto cells = [](const std::string& line) {
    std::vector<std::string> row{""};
    for (const char c : line) c == ',' ? row.emplace_back() : row.back() += c;
    return row;
  };
  const std::vector<std::string> names = cells(lines.at(0));
  const auto column = std::find(names.begin(), names.end(), "energy_error") - names.begin();
  double largest = 0;
  for (std::size_t i = 1; i < lines.size(); ++i)
    largest = std::max(largest,
                       std::abs(std::stod(cells(lines[i]).at(static_cast<std::size_t>(column)))));
  return largest;
}

class ShippedSceneOn : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

// Each scene states "energy ... to 1e-5", or that it loses energy. docs/gallery.md measures the
// full run; this is a short one, with few bodies if their number is a parameter.
TEST_P(ShippedSceneOn, ConservesEnergyAsItSays) {
  MOTE_SKIP_IF_SANITIZED("long; GalleryEnergy.* run the same scenes");
  const auto& [name, backend] = GetParam();
  const std::string problem = engine::cuda_info().problem;
  if (backend == "cuda" && !problem.empty()) GTEST_SKIP() << problem;
  const fs::path scene = scenes_folder / (name + ".lua");
  const std::string comment = comment_of(scene);
  std::smatch said;
  if (!std::regex_search(comment, said,
                         std::regex("Conserves: energy[^.;]*? to ([0-9.]+e-[0-9]+)"))) {
    EXPECT_NE(comment.find("Loses energy: "), std::string::npos);
    return;
  }
  const TemporaryFolder folder;
  const bool chosen = mote(folder.path(), {"check", scene, "--set", "n=2048"}).code == 0;
  std::smatch count;
  const std::string output = mote(folder.path(), {"check", scene}).out;
  ASSERT_TRUE(std::regex_search(output, count, std::regex("good, ([0-9,]+) bod(y|ies)"))) << output;
  const bool few = !chosen && count[1].length() <= 2;
  std::vector<std::string> words{
      "run", scene,   "--backend", backend, "--steps", few ? "300" : "10", "--series-steps",
      "1",   "--out", "out"};
  if (chosen) words.insert(words.end(), {"--set", "n=2048"});
  const Result result = mote(folder.path(), words);
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_LE(largest_energy_error(folder.path() / "out"), std::stod(said[1]));
}

TEST_P(ShippedScene, ExpandsToTheSameTextAgain) {
  const TemporaryFolder folder;
  const std::string once =
      mote(folder.path(), {"check", "--json", scenes_folder / (GetParam() + ".lua")}).out;
  write(folder.path() / "expanded.json", once);
  EXPECT_EQ(mote(folder.path(), {"check", "--json", "expanded.json"}).out, once);
}

INSTANTIATE_TEST_SUITE_P(Scenes, ShippedScene, testing::ValuesIn(scenes()), test_name);
INSTANTIATE_TEST_SUITE_P(Scenes, ShippedSceneOn,
                         testing::Combine(testing::ValuesIn(scenes()),
                                          testing::Values("cpu", "cuda")),
                         [](const auto& scene) {
                           return std::get<0>(scene.param) + "_on_" + std::get<1>(scene.param);
                         });

}  // namespace
}  // namespace mote::test
