// Every scene that comes with mote, small and for a few steps.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/app/program.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

const fs::path scenes_folder = fs::path(MOTE_SOURCE_DIR) / "scenes";

std::vector<std::string> scenes() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(scenes_folder))
    if (entry.path().extension() == ".lua" && entry.path().stem() != "mote")  // annotations for editors
      names.push_back(entry.path().stem());
  std::sort(names.begin(), names.end());
  return names;
}

std::string test_name(const testing::TestParamInfo<std::string>& scene) {
  return scene.param;
}

class ShippedScene : public testing::TestWithParam<std::string> {};

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
  const Result from_json =
      mote(folder.path(), {"run", "expanded.json", "--steps", "4", "--out", "from-json"});
  ASSERT_EQ(from_json.code, 0) << from_json.err;
  EXPECT_EQ(hash_of(folder.path() / "from-json"), hash_of(folder.path() / "from-lua"));
}

TEST_P(ShippedScene, ExpandsToTheSameTextAgain) {
  const TemporaryFolder folder;
  const std::string once =
      mote(folder.path(), {"check", "--json", scenes_folder / (GetParam() + ".lua")}).out;
  write(folder.path() / "expanded.json", once);
  EXPECT_EQ(mote(folder.path(), {"check", "--json", "expanded.json"}).out, once);
}

INSTANTIATE_TEST_SUITE_P(Scenes, ShippedScene, testing::ValuesIn(scenes()), test_name);

}  // namespace
}  // namespace mote::test
