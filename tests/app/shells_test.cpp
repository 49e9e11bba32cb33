// What shells and terminals get from the program: completions, the manual, colours.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "engine/json.h"
#include "tests/app/program.h"
#include "tests/support/places.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

class Shells : public testing::Test {
 protected:
  const fs::path& here() const { return folder_.path(); }

  /// Candidates for the last of the words that follow `mote`, without their meanings.
  std::vector<std::string> candidates(std::vector<std::string> words) const {
    words.insert(words.begin(), "__complete");
    const Result result = mote(here(), words);
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.err, "");
    std::vector<std::string> found;
    for (const std::string& line : lines_of(result.out))
      found.push_back(line.substr(0, line.find('\t')));
    return found;
  }

  /// What a script prints in a shell in this folder, in lines; the shell has its own arguments.
  std::vector<std::string> printed(const std::string& shell, const std::string& script) const {
    write(here() / ".script", script);
    const std::string words = "cd '" + here().string() + "' && " + shell + " .script 2>.errors";
    std::FILE* const reader = ::popen(words.c_str(), "r");
    std::string text;
    for (int c = 0; reader && (c = std::fgetc(reader)) != EOF;) text += static_cast<char>(c);
    EXPECT_EQ(::pclose(reader), 0) << text_of(here() / ".errors");
    return lines_of(text);
  }

  static bool installed(const std::string& program) {
    return WEXITSTATUS(std::system(("command -v " + program + " >/dev/null").c_str())) == 0;
  }

 private:
  TemporaryFolder folder_;
};

using Words = std::vector<std::string>;

bool has(const Words& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

TEST_F(Shells, CompleteEveryCommandAndOptionThatHelpLists) {
  const Words commands = candidates({""});
  for (const char* command : {"run", "view", "doctor", "completion", "galaxies"})
    EXPECT_TRUE(has(commands, command)) << command;
  EXPECT_FALSE(has(commands, "sweep-worker")) << "it is for `mote sweep` alone";
  const std::string help = mote(here(), {"help"}).out;
  for (const std::string& command : commands) {
    if (help.find("\n  " + command + " ") == std::string::npos) continue;  // scenes
    const Words options = candidates({command, "--"});
    for (const std::string& line : lines_of(mote(here(), {command, "--help"}).out)) {
      const std::size_t at = line.find("--");
      if (at == std::string::npos || line.find_first_not_of(' ') > 6 || line[2] != '-') continue;
      const std::string option = line.substr(at, line.find(' ', at) - at);
      EXPECT_TRUE(has(options, option)) << command << " " << option;
    }
  }
}

TEST_F(Shells, CompleteValuesThatOptionsAccept) {
  EXPECT_EQ(candidates({"run", "--backend", ""}), (Words{"auto", "cpu", "cuda"}));
  EXPECT_EQ(candidates({"run", "galaxies", "--precision=d"}), Words{"--precision=double"});
  EXPECT_EQ(candidates({"plot", "out", "--what", "energy,rad"}),
            (Words{"energy,radii", "energy,radial_distribution"}));
  EXPECT_EQ(candidates({"export", "out", "--format", "v"}), Words{"vtk"});
  EXPECT_EQ(candidates({"run", "--steps", ""}), Words{});
  EXPECT_EQ(candidates({"schema", "grain"}), (Words{"grains", "grain_pair"}));
  EXPECT_EQ(candidates({"help", "selft"}), Words{"selftest"});
  EXPECT_EQ(candidates({"completion", ""}), (Words{"bash", "zsh", "fish"}));
}

TEST_F(Shells, CompleteScenesAndFilesWhereTheyAreExpected) {
  EXPECT_EQ(candidates({"run", "kep"}), (Words{"kepler", ":files"}));
  EXPECT_EQ(candidates({"check", "--steps", "3", "kep"}), (Words{"kepler", ":files"}));
  EXPECT_EQ(candidates({"kep"}), (Words{"kepler", ":files"}));
  EXPECT_EQ(candidates({"run", "kepler", ""}), Words{}) << "a second scene is wrong";
  EXPECT_EQ(candidates({"sweep", "coll"}), (Words{"collapse", ":files"}));
  EXPECT_EQ(candidates({"info", ""}), Words{":files"});
  EXPECT_EQ(candidates({"resume", ""}), Words{":folders"});
  EXPECT_EQ(candidates({"run", "kepler", "--out", ""}), Words{":folders"});
  EXPECT_EQ(candidates({"run", "--picture", "kep"}), (Words{":files", "kepler"}))
      << "the file may be left out";
}

TEST_F(Shells, CompleteParametersOfTheSceneOnTheLine) {
  write(here() / "binary.lua", binary_scene);
  EXPECT_EQ(candidates({"run", "binary.lua", "--set", ""}), Words{"distance="});
  EXPECT_EQ(candidates({"binary.lua", "--paused", "--set=dis"}), Words{"--set=distance="});
  EXPECT_EQ(candidates({"run", "binary.lua", "--set", "gravity.soft"}),
            Words{"gravity.softening="});
  EXPECT_EQ(candidates({"run", "choreographies", "--set", "curve=but"}), Words{"curve=butterfly"});
  write(here() / "wrong.lua", "return {");
  EXPECT_EQ(candidates({"run", "wrong.lua", "--set", ""}), Words{});
}

TEST_F(Shells, BashCompletes) {
  if (!installed("bash")) GTEST_SKIP() << "bash is not installed";
  write(here() / "runs/a", "");
  write(here() / "my scene.lua", binary_scene);
  // As readline calls it: with the line, and with words that are split at = too.
  const auto completed = [&](const std::string& line) {
    return printed("bash --norc", "compopt() { :; }\nsource <('" + test::program_path() +
                                      "' completion bash)\nCOMP_LINE='" + line +
                                      "' COMP_POINT=" + std::to_string(line.size()) + "\n_mote '" +
                                      test::program_path() +
                                      "'\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n");
  };
  EXPECT_EQ(completed("mote selft"), Words{"selftest"});
  EXPECT_EQ(completed("mote run kep"), Words{"kepler"});
  EXPECT_EQ(completed("mote run --backend=c"), (Words{"cpu", "cuda"}));
  EXPECT_EQ(completed("mote run kepler --set ecc"), Words{"eccentricity="});
  EXPECT_EQ(completed("mote run choreographies --set curve=but"), Words{"butterfly"});
  EXPECT_EQ(completed("mote run my\\ sc"), Words{"my scene.lua"});
  EXPECT_EQ(completed("mote run my\\ scene.lua --set=dis"), Words{"distance="});
  EXPECT_EQ(completed("mote run kepler --out r"), Words{"runs"});
  // Texts of a scene are not for the shell to execute, nor are they other candidates.
  write(here() / "hostile.lua",
        "param('mode', 'a', { choices = { 'a', '$(touch made)b', 'c\\n:files' } })\n" +
            std::string(binary_scene));
  EXPECT_EQ(completed("mote run hostile.lua --set mode=$"), Words{"\\$\\(touch\\ made\\)b"});
  EXPECT_EQ(completed("mote run hostile.lua --set mode=c"), Words{""});
  EXPECT_FALSE(fs::exists(here() / "made"));
  EXPECT_EQ(completed("mote info --json runs/"), Words{"runs/a"});
}

TEST_F(Shells, ZshCompletes) {
  if (!installed("zsh")) GTEST_SKIP() << "zsh is not installed";
  // The words that the script passes on; _files is zsh's own.
  const auto completed = [&](const std::string& words, const std::string& prefix) {
    return printed("zsh -f",
                   "compdef() { :; }\ncompset() { :; }\n_files() { print -r files $* }\n"
                   "compadd() { print -rl -- ${(P)@[-1]} }\n"
                   "source <('" +
                       test::program_path() + "' completion zsh)\nwords=('" + test::program_path() +
                       "' " + words + ")\nCURRENT=$#words PREFIX='" + prefix +
                       "'\n_mote || true\n");
  };
  EXPECT_EQ(completed("selft", "selft"), (Words{"files", "selftest"}));
  EXPECT_EQ(completed("run kep", "kep"), (Words{"files", "kepler"}));
  EXPECT_EQ(completed("run kepler --set ecc", "ecc"), Words{"eccentricity="});
  EXPECT_EQ(completed("run --backend=c", "--backend=c"),
            (Words{"--backend=cpu", "--backend=cuda"}));
  EXPECT_EQ(completed("resume ''", ""), Words{"files -/"});
}

TEST_F(Shells, FishCompletes) {
  if (!installed("fish")) GTEST_SKIP() << "fish is not installed";
  write(here() / "runs/a", "");
  fs::create_directory(here() / "bin");
  fs::create_symlink(test::program_path(), here() / "bin/mote");
  const auto completed = [&](const std::string& line) {
    Words found = printed(
        "HOME=\"$PWD\" fish --no-config",
        "set -x PATH $PWD/bin $PATH\nmote completion fish | source\ncomplete -C '" + line + "'\n");
    for (std::string& one : found) one = one.substr(0, one.find('\t'));
    return found;
  };
  EXPECT_EQ(completed("mote selft"), Words{"selftest"});
  EXPECT_EQ(completed("mote run kep"), Words{"kepler"});
  EXPECT_EQ(completed("mote run kepler --set ecc"), Words{"eccentricity="});
  EXPECT_EQ(completed("mote run --backend=c"), (Words{"--backend=cpu", "--backend=cuda"}));
  EXPECT_EQ(completed("mote run kepler --out r"), Words{"runs/"});
  EXPECT_EQ(completed("mote run kepler --out=r"), Words{"--out=runs/"});
}

TEST_F(Shells, TheManualHasEveryCommandAndMeansWhatItSays) {
  const Result manual = mote(here(), {"help", "--man"});
  EXPECT_EQ(manual.code, 0);
  for (const char* part : {".TH MOTE 1 ", ".SH \"MOTE RUN\"", "\\fB\\-\\-until\\fR \\fITIME\\fR"})
    EXPECT_NE(manual.out.find(part), std::string::npos) << part;
  EXPECT_EQ(mote(here(), {"help", "--man", "run"}).out.find(".TH MOTE\\-RUN 1 "), 0u);
  if (!installed("man")) GTEST_SKIP() << "man is not installed";
  write(here() / "mote.1", manual.out);
  std::string shown;
  for (const std::string& line :
       printed("sh", "MANWIDTH=80 LC_ALL=C man --warnings -l mote.1 | col -b; cat .errors"))
    shown += line + "\n";
  EXPECT_EQ(text_of(here() / ".errors"), "") << "warnings of man";
  for (const char* part : {"mote run [OPTIONS] [SCENE]", "--until TIME", "gravity.softening=0.01"})
    EXPECT_NE(shown.find(part), std::string::npos) << part;
}

TEST_F(Shells, ColoursAreForTerminalsAlone) {
  if (const std::string why = no_terminals(); !why.empty()) GTEST_SKIP() << why;
  const std::string red = "\x1b[31m", bold = "\x1b[1m";
  const Words wrong{"check", "nothing.lua"}, help{"help"};
  const std::map<std::string, std::string> terminal{{"TERM", "xterm"}, {"NO_COLOR", ""}};
  const auto shown = [&](const Words& words, std::map<std::string, std::string> environment) {
    environment.insert(terminal.begin(), terminal.end());
    return run_on_terminal({.arguments = words, .folder = here(), .environment = environment}).out;
  };
  EXPECT_EQ(shown(wrong, {}).find(red + "nothing.lua: no such scene file"), 0u);
  EXPECT_NE(shown(help, {}).find(bold + "Usage:"), std::string::npos);
  EXPECT_EQ(shown(wrong, {{"NO_COLOR", "1"}}).find('\x1b'), std::string::npos);
  EXPECT_EQ(shown(help, {{"TERM", "dumb"}}).find('\x1b'), std::string::npos);
  EXPECT_EQ(mote(here(), wrong).err.find('\x1b'), std::string::npos);
  EXPECT_EQ(mote(here(), help).out.find('\x1b'), std::string::npos);
  EXPECT_EQ(run({.arguments = wrong, .environment = {{"CLICOLOR_FORCE", "1"}}}).err.find(red), 0u);
}

}  // namespace
}  // namespace mote::test
