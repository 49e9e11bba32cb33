// The progress line of a run on a terminal.
#include <gtest/gtest.h>

#include <regex>
#include <sstream>
#include <utility>

#include "tests/app/program.h"

namespace mote::test {
namespace {

/// Runs mote on a terminal of this width, and returns the successive versions of the line.
std::vector<std::string> on_a_terminal(const std::filesystem::path& folder, unsigned short columns,
                                       std::vector<std::string> words) {
  const Result result =
      run_on_terminal({.arguments = std::move(words), .folder = folder, .columns = columns});
  EXPECT_EQ(result.code, 0) << result.out;
  std::vector<std::string> lines;
  std::istringstream stream(result.out);
  for (std::string line; std::getline(stream, line, '\r');) {
    line.erase(line.find_last_not_of(' ') + 1);
    if (line.find(" %") != std::string::npos) lines.push_back(line);
  }
  return lines;
}

TEST(ProgressLine, SaysHowLongItWillTakeOnEveryTerminal) {
  if (const std::string why = no_terminals(); !why.empty()) GTEST_SKIP() << why;
  const TemporaryFolder folder;
  write(folder.path() / "pair.lua", binary_scene);
  const std::regex head(
      R"(^(\[[= ]+\] )?[ 0-9]{3} %, ([0-9.]+ s|[0-9]+ min [0-9]+ s) left(, .*)?$)");
  const std::string numbers = "[0-9.e+]+";
  const std::regex end("(left|step [0-9,]+ of [0-9,]+|t = " + numbers + "( [a-z]+)?|" + numbers +
                       " steps/s|" + numbers + " interactions/s)$");
  for (const unsigned short columns : {30, 60, 80, 100, 120, 200}) {
    const std::vector<std::string> lines =
        on_a_terminal(folder.path(), columns,
                      {"run", "pair.lua", "--backend", "cpu", "--threads", "1", "--steps",
                       "1500000", "--series-steps", "100000", "--force", "--out", "o"});
    ASSERT_FALSE(lines.empty()) << columns;
    for (const std::string& line : lines) {
      EXPECT_TRUE(std::regex_search(line, head)) << columns << ": " << line;
      EXPECT_TRUE(std::regex_search(line, end)) << columns << ": nothing is cut in two: " << line;
      EXPECT_LT(line.size(), columns) << line;
    }
    const bool all = lines.back().find(" interactions/s") != std::string::npos;
    if (columns <= 60) {
      EXPECT_FALSE(all) << lines.back();
    }
    if (columns == 200) {
      EXPECT_TRUE(all) << lines.back();
    }
  }
}

}  // namespace
}  // namespace mote::test
