#include "sim/lua/lua_state.h"

#include <gtest/gtest.h>

#include <clocale>

namespace mote::sim {
namespace {

constexpr LuaLimits small{8u << 20, 2'000'000, std::chrono::seconds(20)};

/// The message of a script that fails, "" of one that works.
std::string message_of(const std::string& text, const LuaLimits& limits = small) {
  LuaState lua(limits, 1, nullptr);
  return lua.run(text, "scene");
}

/// The result of an expression, as text.
std::string value_in_lua(const std::string& expression, std::uint64_t seed = 1) {
  LuaState lua(small, seed, nullptr);
  const std::string message = lua.run("return tostring(" + expression + ")", "scene");
  return message.empty() ? lua_tostring(lua.get(), -1) : message;
}

TEST(LuaState, HasNoFilesClockSystemOrCode) {
  for (const char* name : {"io",
                           "os",
                           "package",
                           "debug",
                           "coroutine",
                           "utf8",
                           "load",
                           "loadstring",
                           "loadfile",
                           "dofile",
                           "require",
                           "print",
                           "collectgarbage",
                           "rawset",
                           "rawget",
                           "setmetatable",
                           "getmetatable",
                           "_G",
                           "_ENV._G",
                           "charge"})
    EXPECT_EQ(value_in_lua(name), "nil") << name;
  EXPECT_EQ(value_in_lua("string.dump"), "nil");
  EXPECT_EQ(value_in_lua("('x').dump"), "nil");
  EXPECT_EQ(value_in_lua("math.randomseed"), "nil");
}

// The host of libmote may have set a locale: in German ö sorts before p and the decimal mark is a
// comma.
TEST(LuaState, OrdersAndWritesAlikeInEveryLocale) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  const bool german = std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr;
  const std::string order = german ? value_in_lua(
                                         "(function() local s = '' for k in pairs { B = 1, a = 2, "
                                         "['\\xc3\\xb6'] = 3, p = 4 } "
                                         "do s = s .. k end return s .. 1.5 end)()")
                                   : "";
  std::setlocale(LC_ALL, before.c_str());
  if (!german) GTEST_SKIP() << "the locale de_DE.UTF-8 is not installed";
  EXPECT_EQ(order,
            "Bap\xc3\xb6"
            "1.5");
}

TEST(LuaState, HasNothingThatRunsForLongInsideOneCall) {
  for (const char* name :
       {"string.find", "string.match", "string.gmatch", "string.gsub", "table.move", "('').gsub"})
    EXPECT_EQ(value_in_lua(name), "nil") << name;
  EXPECT_EQ(value_in_lua("#string.rep('', 1 << 60)"), "0");
  EXPECT_EQ(value_in_lua("(''):rep(1 << 60, '')"), "");
}

TEST(LuaState, HasWhatScenesNeed) {
  EXPECT_EQ(value_in_lua("math.floor(math.sqrt(17)) + math.max(1, 2) + #('abc'):rep(3, '-')"),
            "17");
  EXPECT_EQ(
      value_in_lua("string.format('%.2f', math.pi) .. ('ab'):upper() .. table.concat({1, 2}, ',')"),
      "3.14AB1,2");
  EXPECT_EQ(value_in_lua("select('#', table.unpack({1, 2, 3}))"), "3");
  EXPECT_EQ(value_in_lua("pcall(error, 'x')"), "false");
}

TEST(LuaState, RefusesCompiledCode) {
  EXPECT_EQ(message_of("\x1bLua"), "attempt to load a binary chunk (mode is 't')");
}

TEST(LuaState, EndsAnEndlessLoop) {
  const std::string message = message_of("local n = 0\nwhile true do n = n + 1 end");
  EXPECT_EQ(message, "scene:2: the script ran for too long; is there an endless loop?");
}

TEST(LuaState, PcallDoesNotSwallowTheEndOfALoop) {
  const std::string end = "scene:1: the script ran for too long; is there an endless loop?";
  for (const char* text :
       {"while true do pcall(function() while true do end end) end",
        "local function f() pcall(f) f() end f()", "while true do pcall(error) end",
        "while true do pcall(string.rep, 'x', 1 << 40) end"})
    EXPECT_NE(message_of(text).find(end), std::string::npos) << text << "\n" << message_of(text);
}

TEST(LuaState, CountsTheWorkOfTakingMemory) {
  // Each round is a few instructions and a megabyte: only the bytes show what it costs.
  EXPECT_NE(message_of("local s = ('x'):rep(1 << 20) while true do s = s:reverse() end")
                .find("ran for too long"),
            std::string::npos);
}

TEST(LuaState, CountsTheWorkOfErrorsAndSorting) {
  const std::string end = "ran for too long";
  EXPECT_NE(message_of("for i = 1, 3000 do pcall(error) end").find(end), std::string::npos);
  EXPECT_NE(
      message_of("local t = {} for i = 1, 1e4 do t[i] = i end for i = 1, 20 do table.sort(t) end")
          .find(end),
      std::string::npos);
  EXPECT_EQ(
      message_of("local t = {} for i = 1, 1e4 do t[i] = -i end table.sort(t) assert(t[1] == -1e4)"),
      "");
}

TEST(LuaState, LimitsMemory) {
  EXPECT_EQ(message_of("local s = 'x' for i = 1, 40 do s = s .. s end"), "not enough memory");
  EXPECT_EQ(message_of("local t = {} for i = 1, 1e7 do t[i] = { i } end",
                       {8u << 20, 1'000'000'000, std::chrono::seconds(20)}),
            "not enough memory");
  EXPECT_EQ(message_of("local t = {} for i = 1, 1e4 do t[i] = { i } end"), "");
}

TEST(LuaState, ErrorsNameTheirLine) {
  EXPECT_EQ(message_of("\n\nerror('no')"), "scene:3: no");
  EXPECT_EQ(message_of("local x = {}\nlocal y = x.a.b"),
            "scene:2: attempt to index a nil value (field 'a')");
  EXPECT_EQ(message_of("return {\n1 2 }"),
            "scene:2: '}' expected (to close '{' at line 1) near '2'");
  EXPECT_EQ(message_of("error({})"), "the script failed with an error that is not text");
  EXPECT_EQ(message_of("\nfor k in pairs(3) do end"), "scene:2: pairs expects a table, got number");
  EXPECT_EQ(message_of("\ntable.sort(nil)"), "scene:2: table.sort expects a table, got nil");
  EXPECT_EQ(message_of("table.sort({ 1, {} })"), "attempt to compare table with number");
  EXPECT_EQ(message_of("\nlocal s = string.rep({}, 3)"),
            "scene:2: string.rep expects text and a number");
}

TEST(LuaState, RandomNumbersFollowTheSeed) {
  EXPECT_EQ(value_in_lua("math.random(1 << 40)", 5), value_in_lua("math.random(1 << 40)", 5));
  EXPECT_NE(value_in_lua("math.random(1 << 40)", 5), value_in_lua("math.random(1 << 40)", 6));
}

TEST(LuaState, PairsGoesInTheOrderOfTheKeys) {
  EXPECT_EQ(
      value_in_lua(
          "(function() local s = '' for k, v in pairs { z = 1, b = 2, [3] = 3, a = 4, 5, [-1] = 6 "
          "} do s = s .. "
          "k .. '=' .. v .. ' ' end return s end)()"),
      "-1=6 1=5 3=3 a=4 b=2 z=1 ");
  EXPECT_EQ(value_in_lua("(function() local t, n = { a = 1, b = 2, c = 3 }, 0 for k in pairs(t) do "
                         "t[k] = nil n = n + 1 end "
                         "return n + (next(t) and 100 or 0) end)()"),
            "3")
      << "clearing a table during its traversal is allowed";
}

TEST(LuaState, NextGoesInTheOrderOfTheKeysToo) {
  EXPECT_EQ(
      value_in_lua("(function() local t, s = { }, '' for i = 1, 20 do t['k' .. 10 + 7 * i % 20] = "
                   "false end t[5] = 1 "
                   "for k, v in next, t do s = s .. k .. (v and '+' or '-') end return s end)()"),
      "5+k10-k11-k12-k13-k14-k15-k16-k17-k18-k19-k20-k21-k22-k23-k24-k25-k26-k27-k28-k29-");
  EXPECT_EQ(value_in_lua("next({})"), "nil");
  EXPECT_EQ(
      message_of("\nnext({ [{}] = 1 })"),
      "scene:2: next expects keys that are numbers, text, true or false; a table has no order");
}

TEST(LuaState, RefusesKeysThatHaveNoOrder) {
  for (const char* key : {"{}", "print or pairs", "function() end"})
    for (const char* use : {"for _ in pairs(t) do end", "next(t)", "for _ in next, t do end"}) {
      const std::string text = std::string("local t = { 1, [") + key + "] = 2 }\n" + use;
      EXPECT_NE(message_of(text).find("scene:2: "), std::string::npos) << text;
      EXPECT_NE(message_of(text).find(" expects keys that are numbers, text, true or false; a "),
                std::string::npos)
          << text;
    }
  EXPECT_EQ(
      value_in_lua(
          "(function() local s = '' for k in pairs { [true] = 1, a = 2, [3] = 3, [false] = 4 } "
          "do s = s .. tostring(k) .. ' ' end return s end)()"),
      "false true 3 a ");
}

TEST(LuaState, ShowsNoAddresses) {
  EXPECT_EQ(value_in_lua("{}"), "table");
  EXPECT_EQ(value_in_lua("pairs"), "function");
  EXPECT_EQ(value_in_lua("function() end"), "function");
  EXPECT_EQ(value_in_lua("string.format('%s %-9s|%5.2s|%s', {}, pairs, {}, 1.5)"),
            "table function |   ta|1.5");
  EXPECT_EQ(value_in_lua("('%d%% %s'):format(5, {})"), "5% table");
  EXPECT_EQ(value_in_lua("string.format('%s %s %q', true, nil, 'a')"), "true nil \"a\"");
  for (const char* value : {"{}", "'text'", "pairs", "1"})
    EXPECT_EQ(message_of(std::string("\nlocal s = string.format('%s %-20p', 1, ") + value + ")"),
              "scene:2: string.format has no %p: addresses differ between runs");
  EXPECT_EQ(message_of("\nlocal s = string.format('%d', {})"),
            "scene:2: bad argument #2 to 'format' (number expected, got table)");
  EXPECT_EQ(message_of("\nlocal s = string.format('%s')"),
            "scene:2: bad argument #2 to 'format' (no value)");
}

// Lua's own sort chooses pivots by the clock if partitions of a long list are unbalanced, so the
// order of equal items varies.
TEST(LuaState, SortsStably) {
  const std::string message = message_of(R"(
    local t = {}
    for i = 1, 3000 do t[i] = { key = i % 7, index = i } end
    table.sort(t, function(a, b) return a.key < b.key end)
    for i = 2, #t do
      assert(t[i - 1].key <= t[i].key, "not sorted")
      assert(t[i - 1].key < t[i].key or t[i - 1].index < t[i].index, "equals are out of order")
    end
    local u = { 5, 3, 9, 1, 7 }
    table.sort(u, function(a, b) return a > b end)
    assert(table.concat(u, " ") == "9 7 5 3 1")
    table.sort(u)
    assert(table.concat(u, " ") == "1 3 5 7 9")
    table.sort({})
    table.sort({ "b", "a" }, function() return true end))",
                                         {8u << 20, 20'000'000, std::chrono::seconds(20)});
  EXPECT_EQ(message, "");
}

/// Calls the function that the chunk has returned.
std::string call(LuaState& lua, const LuaLimits& limits = small) {
  lua_pushvalue(lua.get(), 1);
  return lua.call(0, limits);
}

// 1e5 rounds are some 1e5 instructions, of 2e6: a hundred calls are five times as many.
TEST(LuaState, BoundsEveryCallByItself) {
  LuaState lua(small, 1, nullptr);
  ASSERT_EQ(lua.run("local n = 0 return function() n = n + 1 for i = 1, 1e5 do end "
                    "if n == 101 then while true do end end end",
                    "scene"),
            "");
  for (int i = 0; i < 100; ++i) ASSERT_EQ(call(lua), "") << i;
  EXPECT_EQ(call(lua), "scene:1: the script ran for too long; is there an endless loop?");
  EXPECT_EQ(call(lua), "") << "each call has its own limits";
  EXPECT_EQ(lua_gettop(lua.get()), 1);
}

TEST(LuaState, DrawsTheSameFromTheSameSeedAgain) {
  LuaState lua(small, 1, nullptr);
  ASSERT_EQ(
      lua.run("local first = math.random() return function() assert(math.random() == first) end",
              "scene"),
      "");
  lua.seed_random(1);
  EXPECT_EQ(call(lua), "");
  EXPECT_NE(call(lua), "");
}

TEST(LuaState, FreezesGlobals) {
  LuaState lua(small, 1, nullptr);
  ASSERT_EQ(
      lua.run("x = 1 return function() assert(x == 1 and math.floor(1.5) == 1 and ('a'):rep(2) == "
              "'aa') x = 2 end",
              "scene"),
      "");
  EXPECT_EQ(call(lua), "");
  ASSERT_EQ(lua.run("x = 1", "scene"), "");
  lua.freeze();
  EXPECT_EQ(call(lua), "scene:1: 'x' cannot be assigned during a run; keep values in sim.data");
}

TEST(LuaState, DoesNotShareWithAnother) {
  LuaState first(small, 1, nullptr), second(small, 1, nullptr);
  EXPECT_EQ(first.run("x = 1 string.len = nil", "scene"), "");
  EXPECT_EQ(second.run("assert(x == nil and string.len)", "scene"), "");
}

}  // namespace
}  // namespace mote::sim
