#include "engine/check.h"

#include <gtest/gtest.h>

namespace mote::engine {
namespace {

TEST(Check, DiagnosticLeavesOutWhatIsEmpty) {
  EXPECT_EQ((Diagnostic{"a.lua:7", "gravity.softening", "is negative", "give 0 or more"}.text()),
            "a.lua:7: gravity.softening: is negative; give 0 or more");
  EXPECT_EQ((Diagnostic{"a.lua:7", "gravity.softening", "is negative", ""}.text()),
            "a.lua:7: gravity.softening: is negative");
  EXPECT_EQ((Diagnostic{"a.lua:7", "", "is empty", "write a scene"}.text()),
            "a.lua:7: is empty; write a scene");
  EXPECT_EQ((Diagnostic{"a.lua:7", "", "is empty", ""}.text()), "a.lua:7: is empty");
  EXPECT_EQ((Diagnostic{"", "dt", "is missing", "give one"}.text()), "dt: is missing; give one");
  EXPECT_EQ((Diagnostic{"", "dt", "is missing", ""}.text()), "dt: is missing");
  EXPECT_EQ((Diagnostic{"", "", "no scene", "name one"}.text()), "no scene; name one");
  EXPECT_EQ((Diagnostic{"", "", "no scene", ""}.text()), "no scene");
}

TEST(Check, InputErrorJoinsItsDiagnosticsInOrder) {
  const InputError error(
      {{"a", "", "first", ""}, {"", "k", "second", "fix it"}, {"", "", "third", ""}});
  EXPECT_STREQ(error.what(), "a: first\nk: second; fix it\nthird");
  ASSERT_EQ(error.diagnostics().size(), 3u);
  EXPECT_EQ(error.diagnostics()[1].key, "k");
  EXPECT_EQ(error.diagnostics()[2].problem, "third");
}

TEST(Check, InputErrorOfOneProblemNeedsNoRemedy) {
  EXPECT_STREQ(InputError("--set x", "is unknown").what(), "--set x: is unknown");
  const InputError error("--set x", "is unknown", "say y");
  EXPECT_STREQ(error.what(), "--set x: is unknown; say y");
  ASSERT_EQ(error.diagnostics().size(), 1u);
  EXPECT_EQ(error.diagnostics()[0].place, "--set x");
  EXPECT_EQ(error.diagnostics()[0].key, "");
  EXPECT_EQ(error.diagnostics()[0].remedy, "say y");
}

TEST(Check, SystemErrorHasCallReasonRemedyAndSourceLine) {
  const SystemError error("open a.csv", "Permission denied", "choose another folder");
  const auto line = static_cast<unsigned>(__LINE__ - 1);
  EXPECT_STREQ(error.what(), "open a.csv: Permission denied; choose another folder");
  EXPECT_EQ(error.line(), line);
  EXPECT_TRUE(std::string(error.file()).ends_with("check_test.cpp"));
  EXPECT_STREQ(SystemError("open a.csv", "Permission denied", "").what(),
               "open a.csv: Permission denied");
}

TEST(Check, InputErrorMergesSimilarProblemsOfALoop) {
  const auto at = [](int line, const std::string& key, const std::string& problem) {
    return Diagnostic{"a.lua:" + std::to_string(line), key, problem, "take another"};
  };
  std::vector<Diagnostic> all;
  for (int i = 1; i <= 20; ++i)
    all.push_back(at(i < 10 ? 3 : 4, "bodies." + std::to_string(i) + ".kind", "is bad"));
  all.push_back(at(5, "bodies.7.kind", "is worse"));
  for (int i = 1; i <= 3; ++i) all.push_back(at(6, "fields." + std::to_string(i), "is odd"));
  const InputError error(all);
  EXPECT_STREQ(error.what(),
               "a.lua:3: bodies.1.kind: is bad; take another (and 19 more)\n"
               "a.lua:5: bodies.7.kind: is worse; take another\n"
               "a.lua:6: fields.1: is odd; take another\n"
               "a.lua:6: fields.2: is odd; take another\n"
               "a.lua:6: fields.3: is odd; take another");
  EXPECT_EQ(error.diagnostics().size(), 24u) << "diagnostics() has them all";
}

}  // namespace
}  // namespace mote::engine
