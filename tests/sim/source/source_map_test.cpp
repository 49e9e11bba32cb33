#include "sim/source/source_map.h"

#include <gtest/gtest.h>

namespace mote::sim {
namespace {

using Node = SourceMap::Node;

/// Line of a key of the returned table, or of a key in the table of a key; 0 if unknown.
int line(const SourceMap& map, std::string_view key, std::string_view inner = "") {
  const Node::Entry* entry = map.root() ? map.root()->key(key) : nullptr;
  if (entry && !inner.empty()) entry = entry->table ? entry->table->key(inner) : nullptr;
  return entry ? entry->line : 0;
}

TEST(SourceMap, FindsTheLinesOfKeysInNestedTables) {
  const SourceMap map("return {\n  a = 1, b = {\n    c = 2,\n    d = { e = 3 },\n  },\n  f = 4\n}",
                      SceneLanguage::lua);
  ASSERT_TRUE(map.root());
  EXPECT_EQ(map.root()->line, 1);
  EXPECT_EQ(line(map, "a"), 2);
  EXPECT_EQ(line(map, "b"), 2);
  EXPECT_EQ(line(map, "b", "c"), 3);
  EXPECT_EQ(line(map, "b", "d"), 4);
  EXPECT_EQ(line(map, "f"), 6);
  EXPECT_EQ(line(map, "e"), 0) << "e is no key of the outer table";
}

TEST(SourceMap, CountsTheItemsOfListsBesideTheirKeys) {
  const SourceMap map("return {\n\"leapfrog\",\ndt = 1,\n{ 2 };\n3\n}", SceneLanguage::lua);
  EXPECT_EQ(map.root()->item(0)->line, 2);
  EXPECT_EQ(map.root()->item(1)->line, 4);
  EXPECT_EQ(map.root()->item(1)->table->line, 4);
  EXPECT_EQ(map.root()->item(2)->line, 5);
  EXPECT_EQ(map.root()->item(3), nullptr);
}

TEST(SourceMap, SkipsCommentsAndTexts) {
  const SourceMap map(
      "-- return { a = 1 }\n--[==[ { \n b = ]] \n]==]\nlocal s = [[\n { c = ]]\nreturn {\n  t = "
      "\"} \\\" d = "
      "{\",\n  u = 'x',"
      " -- }\n  a = 2,\n}",
      SceneLanguage::lua);
  EXPECT_EQ(map.root()->line, 7);
  EXPECT_EQ(line(map, "t"), 8);
  EXPECT_EQ(line(map, "u"), 9);
  EXPECT_EQ(line(map, "a"), 10);
  EXPECT_EQ(line(map, "b") + line(map, "c") + line(map, "d"), 0);
}

TEST(SourceMap, CountsLinesInsideOfLongTextsAndContinuedOnes) {
  const SourceMap map("local s = 'a\\\nb'\nreturn {\n  about = [[\n\n\n]],\n  a = 1,\n}",
                      SceneLanguage::lua);
  EXPECT_EQ(line(map, "about"), 4);
  EXPECT_EQ(line(map, "a"), 8);
}

TEST(SourceMap, FindsTheTablesOfCalls) {
  const SourceMap map(
      "return { bodies = {\n disk { n = 1 },\n disk({\n  n = 2,\n }),\n move(disk {\n n = 3 }, { "
      "1, 2, 3 "
      "}),\n} }",
      SceneLanguage::lua);
  ASSERT_TRUE(map.made_by("disk", 2));
  EXPECT_EQ(map.made_by("disk", 2)->key("n")->line, 2);
  EXPECT_EQ(map.made_by("disk", 3)->key("n")->line, 4);
  EXPECT_EQ(map.made_by("disk", 6)->key("n")->line, 7);
  EXPECT_EQ(map.made_by("disk", 5), nullptr)
      << "a call with a variable is not the next call's table";
  EXPECT_EQ(map.made_by("plummer", 2), nullptr);
}

TEST(SourceMap, ReadsKeysInBrackets) {
  const SourceMap map("return {\n  [\"a\"] = 1,\n  ['b'] = { c = 2 },\n  [1 + 2] = 3,\n  4,\n}",
                      SceneLanguage::lua);
  EXPECT_EQ(line(map, "a"), 2);
  EXPECT_EQ(line(map, "b"), 3);
  EXPECT_EQ(line(map, "b", "c"), 3);
  EXPECT_EQ(map.root()->item(0)->line, 5) << "the first item without a key";
}

TEST(SourceMap, IgnoresIndicesComparisonsAndArithmetic) {
  const SourceMap map(
      "local t = { 1, 2 }\nreturn {\n  a = t[1] == 1,\n  b = (t[2] + 3) * #t,\n  c = f(1, 2)[3],\n "
      " d = 5 }",
      SceneLanguage::lua);
  EXPECT_EQ(line(map, "a"), 3);
  EXPECT_EQ(line(map, "b"), 4);
  EXPECT_EQ(line(map, "c"), 5);
  EXPECT_EQ(line(map, "d"), 6);
  EXPECT_EQ(map.root()->item(0), nullptr);
}

TEST(SourceMap, LeavesFunctionBodiesAlone) {
  const SourceMap map(
      "local function f(x) if x then return { a = 1 } end for i = 1, 2 do local b, c = 1, 2 end "
      "return { a = "
      "2 } end\n"
      "return {\n  on_step = function(s)\n    local x, y = 1, 2\n    repeat x = x + 1 until x > "
      "3\n    "
      "return { z = x }\n"
      "  end,\n  a = f(1),\n}",
      SceneLanguage::lua);
  EXPECT_EQ(map.root()->line, 2);
  EXPECT_EQ(line(map, "on_step"), 3);
  EXPECT_EQ(line(map, "a"), 8);
  EXPECT_EQ(line(map, "z"), 0);
  EXPECT_EQ(map.root()->item(0), nullptr);
}

TEST(SourceMap, HasNoRootWhenTheChunkReturnsSomethingElse) {
  EXPECT_EQ(SourceMap("local t = { a = 1 }", SceneLanguage::lua).root(), nullptr);
  EXPECT_EQ(SourceMap("return make { a = 1 }", SceneLanguage::lua).root(), nullptr);
  EXPECT_EQ(SourceMap("", SceneLanguage::lua).root(), nullptr);
}

TEST(SourceMap, FollowsAReturnedVariable) {
  const SourceMap map("local scene = {\n  a = 1,\n}\nscene.b = 2\nreturn scene",
                      SceneLanguage::lua);
  EXPECT_EQ(line(map, "a"), 2);
  EXPECT_EQ(line(map, "b"), 0);
}

TEST(SourceMap, ReadsJson) {
  const SourceMap map(
      "{\n  \"a\": [[1, 2],\n    [3]],\n  \"b--c\": {\n    \"d\": \"{[\" },\n  \"e\": null\n}",
      SceneLanguage::json);
  EXPECT_EQ(line(map, "a"), 2);
  EXPECT_EQ(map.root()->key("a")->table->item(1)->line, 3);
  EXPECT_EQ(line(map, "b--c"), 4);
  EXPECT_EQ(line(map, "b--c", "d"), 5);
  EXPECT_EQ(line(map, "e"), 6);
}

TEST(SourceMap, ReportsRepeatedKeys) {
  const SourceMap map(
      "return { a = 1, b = { a = 2 },\n c = 3,\n [\"a\"] = 4, [i] = 5, [i] = 6, 7, 7 }",
      SceneLanguage::lua);
  const auto repeated = map.repeated_keys();
  ASSERT_EQ(repeated.size(), 1u);
  EXPECT_EQ(repeated[0].key, "a");
  EXPECT_EQ(repeated[0].line, 3);
  EXPECT_EQ(line(map, "a"), 3) << "the last one wins";
}

TEST(SourceMap, SurvivesWhateverItIsGiven) {
  const std::string text = "return {a=[[x]], ['b']={\"c\\\"\",--[[d]] e=f{1}}, [g]=function() end}";
  for (std::size_t length = 0; length <= text.size(); ++length)
    for (SceneLanguage language : {SceneLanguage::lua, SceneLanguage::json}) {
      SourceMap(text.substr(0, length), language);
      SourceMap(text.substr(length), language);
    }
}

}  // namespace
}  // namespace mote::sim
