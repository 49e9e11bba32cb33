// Every scene in tests/bad_scenes has an error. Next to it is the expected message: NAME.expected,
// the exact text, or NAME.pattern, a regular expression if the text depends on the machine.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "engine/json.h"
#include "tests/app/program.h"
#include "tests/support/places.h"
#include "tests/support/sanitized.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

const fs::path tests_folder = fs::path(test::source_dir()) / "tests";

std::vector<std::string> bad_scenes() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(tests_folder / "bad_scenes"))
    if (entry.path().extension() == ".lua" || entry.path().extension() == ".json")
      names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

std::string name_of_bad_scene(const testing::TestParamInfo<std::string>& info) {
  return fs::path(info.param).stem();
}

class BadScene : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { MOTE_SKIP_IF_SANITIZED("Corpus.* reads the same scenes"); }
  fs::path scene() const { return fs::path("bad_scenes") / GetParam(); }

  void expect_refused(const Result& result) const {
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(result.out, "");
    const fs::path expected = (tests_folder / scene()).replace_extension(".expected");
    const fs::path pattern = (tests_folder / scene()).replace_extension(".pattern");
    ASSERT_NE(fs::exists(expected), fs::exists(pattern))
        << "one of the two belongs beside " << scene();
    if (fs::exists(expected))
      EXPECT_EQ(result.err, text_of(expected));
    else
      EXPECT_TRUE(std::regex_match(result.err, std::regex(text_of(pattern)))) << result.err;
  }
};

TEST_P(BadScene, IsRefusedByRunWithItsMessageBeforeAnythingIsWritten) {
  const TemporaryFolder folder;
  const fs::path out = folder.path() / "run";
  expect_refused(mote(tests_folder, {"run", scene(), "--out", out}));
  EXPECT_FALSE(fs::exists(out));
}

TEST_P(BadScene, IsRefusedByCheckWithTheSameMessage) {
  expect_refused(mote(tests_folder, {"check", scene()}));
}

INSTANTIATE_TEST_SUITE_P(Scenes, BadScene, testing::ValuesIn(bad_scenes()), name_of_bad_scene);

TEST(BadScenes, AreMany) {
  EXPECT_GE(bad_scenes().size(), 60u);
}

TEST(BadScenes, AreReportedAsDataByCheckJson) {
  const Result result = mote(tests_folder, {"check", "--json", "bad_scenes/several.lua"});
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(result.err, "");
  const engine::Json problems = engine::parse_json(result.out).at("problems");
  ASSERT_EQ(problems.size(),
            lines_of(text_of(tests_folder / "bad_scenes/several.expected")).size());
  EXPECT_EQ(problems[0].at("place"), "bad_scenes/several.lua:3");
  EXPECT_EQ(problems[0].at("key"), "titel");
  EXPECT_EQ(problems[0].at("problem"), "unknown key");
  EXPECT_EQ(problems[0].at("remedy"), "did you mean 'title'?");
}

TEST(BadScenes, HaveColumnsOfExpressionsInCheckJson) {
  const Result result = mote(tests_folder, {"check", "--json", "bad_scenes/field_letters.lua"});
  const engine::Json problems = engine::parse_json(result.out).at("problems");
  ASSERT_EQ(problems.size(), 3u);
  EXPECT_EQ(problems[0].at("line"), 3);
  EXPECT_EQ(problems[0].at("column"), 2) << "after the sign";
  EXPECT_EQ(problems[0].at("excerpt"), "-\u00b5*x");
  EXPECT_EQ(problems[1].at("column"), 11) << "characters, of all lines";
  EXPECT_FALSE(problems[2].contains("column")) << "of no character alone";
}

}  // namespace
}  // namespace mote::test
