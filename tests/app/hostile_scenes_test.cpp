// Scenes that try to hang mote, to exhaust the machine or to read foreign files. Each ends with one
// clear message.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>

#include "tests/app/program.h"
#include "tests/support/places.h"
#include "tests/support/sanitized.h"

namespace mote::test::hostile {
namespace {

namespace fs = std::filesystem;

struct Hostile {
  std::string name;
  std::string text;     // of the scene
  std::string message;  // part of the error message
  std::function<void(const fs::path&)> prepare = {};
  std::string file = "scene.lua";
  bool exhausts_limit = false;  // runs until a limit of time or memory
};

void PrintTo(const Hostile& hostile, std::ostream* to) {
  *to << hostile.name;
}

std::string bodies(const std::string& list, const std::string& before = "") {
  return before + "\nreturn { integrator = { dt = 1 }, stop = { steps = 1 }, bodies = { " + list +
         " } }";
}
std::string repeated(const std::string& piece, std::size_t count) {
  std::string all;
  all.reserve(piece.size() * count);
  for (std::size_t i = 0; i < count; ++i) all += piece;
  return all;
}
std::function<void(const fs::path&)> file(const std::string& name, const std::string& text) {
  return [=](const fs::path& folder) {
    fs::create_directories((folder / name).parent_path());
    write(folder / name, text);
  };
}
/// A sparse file of this size, which takes no disk space.
std::function<void(const fs::path&)> sparse(const std::string& name, std::uintmax_t bytes) {
  return [=](const fs::path& folder) {
    write(folder / name, "mass,x,y,z\n");
    fs::resize_file(folder / name, bytes);
  };
}

const std::string loop = "ran for too long";
const std::string memory = "the script takes more than";
const std::string outside = "is outside the folder of the scene";
const std::string linked_outside = "leads out of the folder of the scene through a link";

std::vector<Hostile> loops() {
  return {
      {"Loop", "while true do end", loop},
      {"LoopByGoto", "::a:: goto a", loop},
      {"LoopByRepeat", "repeat until false", loop},
      {"LoopOverNumbers", "for i = 1, math.huge do end", loop},
      {"LoopInPcall", "while true do pcall(function() while true do end end) end", loop},
      {"LoopOfErrors", "while true do pcall(error, 'x') end", loop},
      {"LoopByTailCall", "local function f() return f() end f()", loop},
      {"LoopInComparator", "table.sort({ 3, 2, 1 }, function() while true do end end)", loop},
      {"LoopInIterator", "for _ in function() return 1 end do end", loop},
      {"LoopOfBytes", "local s = ('x'):rep(900) while true do local _ = { s:byte(1, -1) } end",
       loop},
      {"LoopOfConcat",
       "local t = {} for i = 1, 900 do t[i] = 'x' end while true do table.concat(t) end", loop},
      {"LoopOfFormat", "while true do string.format('%99.99f', 1e308) end", loop},
      {"LoopOfCopies",
       "local b = { { mass = 1, position = { 1, 2, 3 } } } while true do b = { copy(b)[1] } end",
       loop},
      {"LoopInIncluded", "include('parts/loop.lua')", loop,
       file("parts/loop.lua", "while true do end")},
      {"LoopOfManyValues",
       "local function f(...) while true do local function g(...) end g(...) end end "
       "local t = {} for i = 1, 1000 do t[i] = i end f(table.unpack(t))",
       loop},
      {"SortOfLongEqualTexts",
       "local s = ('x'):rep(8000000) local t = {} for i = 1, 20000 do t[i] = s end table.sort(t)",
       loop},
      {"SortOfManyNumbers", "local t = {} for i = 1, 6000000 do t[i] = -i end table.sort(t)", loop},
      {"ConcatBombInPcall", "local s = 'x' while true do pcall(function() s = s .. s end) end",
       loop},
  };
}

/// Loops of calls that each take long.
std::vector<Hostile> long_calls() {
  return {
      {"ComparisonOfLongTexts", "local s = ('x'):rep(8000000) while true do local _ = s <= s end",
       loop},
      {"NumbersOutOfLongTexts",
       "local s = '0x' .. ('f'):rep(8000000) while true do tonumber(s) end", loop},
      {"NextOfAnEmptiedTable",
       "local t = {} for i = 1, 500000 do t['k' .. i] = 1 end for i = 1, 500000 do t['k' .. i] = "
       "nil end "
       "while true do next(t) end",
       loop},
  };
}

std::vector<Hostile> bombs() {
  return {
      {"ConcatBomb", "local s = 'x' while true do s = s .. s end", memory},
      {"RepBomb", "return { title = ('x'):rep(1 << 40) }", "resulting string too large"},
      {"RepBombOfTheStringTable", "return { title = string.rep('x', 1 << 29) }", memory},
      {"RepOfNothing", "return { title = (''):rep(1 << 60) .. nil }", "attempt to concatenate"},
      {"TableBomb", "local t = {} for i = 1, math.huge do t[i] = { i } end", memory},
      {"TextsBomb", "local t = {} for i = 1, math.huge do t[i] = ('x'):rep(1000) .. i end", memory},
      {"UnpackBomb", "table.unpack({}, 1, 1 << 40)", "table.unpack returns at most 1000 values"},
      {"ByteBomb", "local s = ('x'):rep(900000) return { s:byte(1, -1) }",
       "string.byte returns at most 1000 values"},
      {"TreeOfSharedTables",
       bodies("t", "local t = { mass = 1 } for i = 1, 30 do t = { t, t, t, t } end"),
       "more than 1,500,000 values"},
      {"OneTextInManyPlaces",
       "local s = ('x'):rep(8000000) local t = {} for i = 1, 1000 do t[i] = s end return { title = "
       "t }",
       "texts of the scene are longer than 32 MiB"},
      {"TableInItself", "local t = {} t.t = t return { view = t, bodies = t }", "unknown key"},
      {"DeepTables", bodies("t", "local t = {} for i = 1, 100000 do t = { t } end"),
       "a table that nests too deep"},
      {"DeepCopy", "local t = {} for i = 1, 100000 do t = { t } end copy(t)",
       "nests deeper than 32 levels"},
      {"DeepRecursion", "local function f() return 1 + f() end f()", "stack overflow"},
      {"DeepRecursionInSort", "local function f() table.sort({ 1, 2 }, function() f() end) end f()",
       "C stack overflow"},
      {"ManyProblems", bodies("table.unpack(t)", "local t = {} for i = 1, 1000 do t[i] = i end"),
       "has more problems than are shown"},
  };
}

std::vector<Hostile> texts() {
  return {
      {"NestedBrackets", "return " + repeated("(", 100000) + "1" + repeated(")", 100000),
       "overflow"},
      {"NestedTables", "return " + repeated("{", 100000) + repeated("}", 100000), "overflow"},
      {"NestedFunctions", repeated("return function() ", 100000), "overflow"},
      {"NestedJson", repeated("[", 1000000), "nests too deep", {}, "scene.json"},
      {"WideJson", "", "more than 5,000,000 values",
       // Created late: memory of this process counts as that of the process it starts.
       [](const fs::path& folder) {
         write(folder / "scene.json", "[0" + repeated(",0", 6000000) + "]");
       },
       "scene.json"},
      {"CompiledCode", std::string("\x1bLua\x54\x00\x19\x93\r\n", 10),
       "attempt to load a binary chunk"},
      {"HugeFile", "", "is longer than 64 MiB", sparse("scene.lua", 100u << 20)},
      {"HugeJson", "", "is longer than 64 MiB", sparse("scene.json", 1ull << 40), "scene.json"},
      {"ZerosForText", std::string(1 << 20, '\0'), "unexpected symbol"},
      {"Pipe", "", "is a device or a pipe",
       [](const fs::path& folder) { ASSERT_EQ(mkfifo((folder / "pipe.lua").c_str(), 0600), 0); },
       "pipe.lua"},
      {"Device", "", "is a device or a pipe",
       [](const fs::path& folder) { fs::create_symlink("/dev/zero", folder / "zero.lua"); },
       "zero.lua"},
  };
}

std::vector<Hostile> reach() {
  const auto csv = [](const std::string& path) { return bodies("csv { file = '" + path + "' }"); };
  return {
      {"PathUp", csv("../../../../../etc/passwd"), outside},
      {"PathFromTheRoot", csv("/etc/passwd"), outside},
      {"PathDownAndUp", csv("a/../../b.csv"), outside},
      {"PathIntoProc", csv("/proc/self/environ"), outside},
      {"PathWithZero", csv("a.csv\\0.lua"), "is not a path"},
      {"LongPath", bodies("csv { file = ('a/'):rep(1000000) }"), "is not a path"},
      {"LinkOut", csv("link.csv"), linked_outside,
       [](const fs::path& folder) { fs::create_symlink("/etc/passwd", folder / "link.csv"); }},
      {"LinkOfAFolderOut", csv("link/passwd"), linked_outside,
       [](const fs::path& folder) { fs::create_symlink("/etc", folder / "link"); }},
      {"LinkToItself", csv("link.csv"), "link.csv",
       [](const fs::path& folder) { fs::create_symlink("link.csv", folder / "link.csv"); }},
      {"PipeOfBodies", csv("pipe.csv"), "not a file",
       [](const fs::path& folder) { ASSERT_EQ(mkfifo((folder / "pipe.csv").c_str(), 0600), 0); }},
      {"FolderOfBodies", csv("."), "not a file"},
      {"LongLine", csv("long.csv"), "is longer than 65,536 characters",
       [](const fs::path& folder) {
         write(folder / "long.csv", "mass,x,y,z\n" + repeated("1,", 50u << 20));
       }},
      {"HugeCsv", csv("huge.csv"), "is longer than 1.0 GiB", sparse("huge.csv", 1ull << 40)},
      {"GadgetOfZeros", bodies("gadget { file = 'a.hdf5' }"), "is not a valid HDF5 file",
       sparse("a.hdf5", 1ull << 32)},
      {"TipsyOfZeros", bodies("tipsy { file = 'a.bin' }"), "is not a TIPSY file",
       sparse("a.bin", 1ull << 32)},
      {"TipsyThatPromises", bodies("tipsy { file = 'a.bin' }"), "its header announces",
       file("a.bin", std::string(8, '\0') +
                         std::string("\0\0\0\x7f\3\0\0\0\0\0\0\0\0\0\0\x7f\0\0\0\0", 20))},
      {"IncludeUp", "include('../../secret.lua')", outside},
      {"IncludeOfADevice", "include('/dev/zero')", outside},
      {"IncludeOfItself", "include('scene.lua')", "includes itself"},
      {"IncludeInACircle", "include('a.lua')", "includes itself",
       file("a.lua", "include('scene.lua')")},
      {"IncludeWithoutEnd", "include('a1.lua')", "too deep",
       [](const fs::path& folder) {
         for (int i = 1; i < 40; ++i)
           write(folder / ("a" + std::to_string(i) + ".lua"),
                 "return include('a" + std::to_string(i + 1) + ".lua')");
       }},
      {"IncludeOfAHugeFile", "include('a.lua')", "is longer than", sparse("a.lua", 1ull << 40)},
  };
}

std::vector<Hostile> numbers() {
  return {
      {"NotANumber", bodies("{ mass = 0 / 0, position = { 0, 0, 0 } }"), "is not a finite number"},
      {"Infinity", bodies("{ mass = 1, position = { 1 / 0, 0, 0 } }"), "is not a finite number"},
      {"InfinityWithAUnit", bodies("{ mass = 1, position = { '1e999 kpc', 0, 0 } }"),
       "bodies.1.position"},
      {"ManyBodies", bodies("plummer { n = 1 << 62 }"), "out of range"},
      {"ManyBodiesInPieces",
       bodies("table.unpack(t)", "local t = {} for i = 1, 999 do t[i] = plummer { n = 1e9 } end"),
       "bodies"},
      {"HugeNumberOfJson",
       "{ \"seed\": 1" + std::string(400, '0') + " }",
       "number",
       {},
       "scene.json"},
      {"DeepUnit", bodies("{ mass = '1 ' .. ('('):rep(1000000), position = { 0, 0, 0 } }"),
       "bodies.1.mass"},
  };
}

std::vector<Hostile> all_hostile() {
  std::vector<Hostile> all;
  for (auto* list : {&loops, &long_calls, &bombs, &texts, &reach, &numbers})
    for (Hostile& h : list()) {
      h.exhausts_limit = list == &loops || h.message == memory;
      all.push_back(std::move(h));
    }
  return all;
}

struct Measured {
  int code = 0;
  double seconds = 0;    // CPU time
  double mebibytes = 0;  // peak resident memory
  std::string said;
};

/// Runs `mote check FILE` in a folder, and measures it.
Measured check(const fs::path& folder, const std::string& scene) {
  const std::string output = (folder / "said.txt").string();
  const pid_t child = fork();
  if (child == 0) {
    if (chdir(folder.c_str()) != 0 || !freopen(output.c_str(), "w", stderr) ||
        !freopen("/dev/null", "w", stdout))
      _exit(99);
    alarm(120);
    execl(test::program_path().c_str(), test::program_path().c_str(), "check", scene.c_str(),
          static_cast<char*>(nullptr));
    _exit(98);
  }
  Measured m;
  rusage usage{};
  int status = 0;
  wait4(child, &status, 0, &usage);
  m.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  const auto seconds = [](timeval t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  m.seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  m.mebibytes = static_cast<double>(usage.ru_maxrss) / 1024;
  m.said = text_of(output);
  return m;
}

class HostileScene : public testing::TestWithParam<Hostile> {};

TEST_P(HostileScene, EndsInAClearLineSoonAndSmall) {
  if (GetParam().exhausts_limit) MOTE_SKIP_IF_SANITIZED("long; the other hostile scenes run");
  const Hostile& hostile = GetParam();
  const TemporaryFolder folder;
  if (!hostile.text.empty()) write(folder.path() / hostile.file, hostile.text);
  if (hostile.prepare) hostile.prepare(folder.path());
  const Measured m = check(folder.path(), hostile.file);
  EXPECT_EQ(m.code, 2) << m.said;
  bool matched = m.said.find(hostile.message) != std::string::npos;
  // If allocation is slow (sanitizers, low memory), a memory bomb reaches its time limit first.
  matched = matched || (hostile.message == memory && m.said.find(loop) != std::string::npos);
  EXPECT_TRUE(matched) << m.said.substr(0, 2000);
  EXPECT_LE(lines_of(m.said).size(), 101u);
  for (const std::string& line : lines_of(m.said))
    EXPECT_LT(line.size(), 1000u) << line.substr(0, 1000);
  RecordProperty("seconds", std::to_string(m.seconds));
  RecordProperty("mebibytes", std::to_string(m.mebibytes));
  // Sanitizers need several times the time, and keep a shadow of the memory.
  if constexpr (address_sanitized || thread_sanitized) return;
  EXPECT_LT(m.seconds, 2.0);
  EXPECT_LT(m.mebibytes, 256.0);
}

INSTANTIATE_TEST_SUITE_P(All, HostileScene, testing::ValuesIn(all_hostile()),
                         [](const auto& hostile) { return hostile.param.name; });

TEST(HostileScenes, AreMany) {
  EXPECT_GE(all_hostile().size(), 60u);
}

TEST(HostileScenes, ThatAreTrustedReachFilesOutsideAndNothingElse) {
  const TemporaryFolder folder;
  fs::create_directories(folder.path() / "inside");
  write(folder.path() / "stars.csv", "mass,x,y,z\n1,0,0,0\n");
  write(folder.path() / "inside/scene.lua", bodies("csv { file = '../stars.csv' }"));
  EXPECT_EQ(mote(folder.path(), {"check", "inside/scene.lua"}).code, 2);
  EXPECT_EQ(mote(folder.path(), {"check", "--trust", "inside/scene.lua"}).code, 0);
  write(folder.path() / "long.lua", bodies("{ mass = n, position = { 0, 0, 0 } }",
                                           "local n = 0 for i = 1, 1e8 do n = n + 1 end"));
  EXPECT_EQ(mote(folder.path(), {"check", "long.lua"}).code, 2);
  EXPECT_EQ(mote(folder.path(), {"check", "--trust", "long.lua"}).code, 0);
  write(folder.path() / "bomb.lua", "local t = {} for i = 1, math.huge do t[i] = { i } end");
  EXPECT_EQ(mote(folder.path(), {"check", "--trust", "bomb.lua"}).code, 2);
  write(folder.path() / "system.lua", "os.exit(0)");
  EXPECT_EQ(mote(folder.path(), {"check", "--trust", "system.lua"}).code, 2);
}

}  // namespace
}  // namespace mote::test::hostile
