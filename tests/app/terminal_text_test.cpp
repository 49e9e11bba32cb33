// Texts of scenes, files and names cannot take over the terminal that shows them, and lost output
// changes no exit code.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>

#include "engine/text.h"
#include "tests/app/program.h"
#include "tests/support/places.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

/// Red, a title of the terminal, a bell, C1 controls, a line that is overwritten, and text from
/// right to left.
const std::string nasty = "a\x1b[31mb\x1b]0;owned\x07\xc2\x9b\r\xe2\x80\xae\xe2\x81\xa6";
/// `nasty` as a string literal of Lua.
const std::string in_lua = R"("a\27[31mb\27]0;owned\7\u{9b}\r\u{202e}\u{2066}")";

std::string scene_with(const std::string& members) {
  return "local nasty = " + in_lua +
         "\nreturn { gravity = { softening = 0.1 }, integrator = { dt = 0.01 }, stop = { steps = 4 "
         "},\n  bodies = { { mass = 1, position = { 0, 0, 0 } }, { mass = 1, position = { 1, 0, 0 "
         "} "
         "} },\n" +
         members + " }\n";
}

class TerminalText : public testing::Test {
 protected:
  const fs::path& here() const { return folder_.path(); }

  /// Runs a command, which must print no control character; returns all that it printed.
  std::string printed_by(const std::vector<std::string>& words) const {
    const Result result = mote(here(), words);
    for (const std::string& text : {result.out, result.err})
      EXPECT_EQ(text, engine::printable(text)) << engine::joined(words, " ");
    return result.out + result.err;
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(TerminalText, OfScenesHasNoControlCharacters) {
  const std::vector<std::pair<std::string, bool>> scenes{
      {"title = nasty", true},
      {"on_step = { every = 1, run = function(sim) error(nasty) end }", true},
      {"on_step = { every = 1, run = function(sim) sim:fail(nasty) end }", true},
      {"on_step = { every = 1, run = function(sim) sim:stop(nasty) end }", true},
      {"on_step = { every = 1, run = function(sim) sim:log(nasty) end }", false},
      {"[nasty] = 1", true},
      {"view = { [nasty] = 1 }", true},
      {"view = { color = nasty }", false},  // a formula, whose controls are spaces
      {"bodies = csv { nasty }", true},
      {"units = nasty", true},
      {"snapshots = { steps = 1, format = nasty }", true},
      {"species = { [nasty] = {} }", false},
  };
  for (const auto& [members, shown] : scenes) {
    SCOPED_TRACE(members);
    write(here() / "scene.lua", scene_with(members));
    std::string all = printed_by({"check", "scene.lua"});
    all += printed_by({"run", "scene.lua", "--out", "a", "--force"});
    for (const char* command : {"info", "verify", "resume"}) printed_by({command, "a"});
    EXPECT_TRUE(!shown || all.find("\\u202e") != all.npos) << all;
  }
}

TEST_F(TerminalText, OfNamesAndFilesHasNoControlCharacters) {
  write(here() / "scene.lua", scene_with(""));
  write(here() / (nasty + ".lua"), scene_with(""));
  write(here() / "drive", "settle\n" + nasty + "\n");
  write(here() / "wrong.lua", "return {" + nasty);
  write(here() / "bodies.csv", "mass," + nasty + "\n1,2\n");
  write(here() / "table.lua", scene_with("bodies = csv(\"bodies.csv\")"));
  printed_by({"run", "scene.lua", "--out", nasty});
  for (const auto& words : std::vector<std::vector<std::string>>{
           {"check", nasty + ".lua"},
           {"check", "missing" + nasty},
           {"check", "wrong.lua"},
           {"check", "table.lua"},
           {"run", "scene.lua", "--" + nasty},
           {"run", "scene.lua", "--set", nasty + "=1"},
           {nasty},
           {"help", nasty},
           {"info", nasty},
           {"info", nasty, "--json"},
           {"plot", nasty, "--what", nasty},
           {"export", nasty, "--format", nasty},
           {"diff", nasty, "scene.lua"},
           {"view", "scene.lua", "--offscreen", "--drive", "drive"},
           {"run", "scene.lua", "--replay", nasty},
           {"__complete", "run", ""},
           {"__complete", "info", ""},
       })
    EXPECT_NE(printed_by(words), "");
}

TEST_F(TerminalText, ThatIsLostChangesNoExitCode) {
  write(here() / "scene.lua", scene_with(""));
  write(here() / "wrong.lua", scene_with("nothing = 1"));
  const auto code_of = [&](const std::string& words) {
    const std::string line =
        "cd '" + here().string() + "' && exec '" + test::program_path() + "' " + words;
    const int status = std::system(line.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  };
  for (const char* lost : {" 2>&-", " 2>/dev/full", " >/dev/full 2>&-", " >&- 2>&-"}) {
    SCOPED_TRACE(lost);
    EXPECT_EQ(code_of(std::string("check missing.lua") + lost), 2);
    EXPECT_EQ(code_of(std::string("check wrong.lua") + lost), 2);
    EXPECT_EQ(code_of(std::string("run wrong.lua --out a") + lost), 2);
    EXPECT_EQ(code_of(std::string("run --no-such-option") + lost), 2);
    EXPECT_EQ(code_of(std::string("resume missing") + lost), 2);
    EXPECT_EQ(code_of(std::string("diff missing scene.lua") + lost), 2);
    EXPECT_EQ(code_of(std::string("sweep missing.lua --out b") + lost), 2);
  }
}

}  // namespace
}  // namespace mote::test
