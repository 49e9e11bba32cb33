#include "sim/source/value.h"

#include <gtest/gtest.h>

namespace mote::sim {
namespace {

Value number(double x) {
  return {x, 0};
}

template <class T>
T as(const Value& value) {
  return std::get<T>(value.data);
}

TEST(ParseTyped, ReadsBooleansNumbersAndTexts) {
  EXPECT_EQ(as<bool>(parse_typed("true")), true);
  EXPECT_EQ(as<bool>(parse_typed("false")), false);
  EXPECT_EQ(as<std::int64_t>(parse_typed("42")), 42);
  EXPECT_EQ(as<std::int64_t>(parse_typed("+7")), 7);
  EXPECT_EQ(as<std::int64_t>(parse_typed("-7")), -7);
  EXPECT_EQ(as<double>(parse_typed("1e3")), 1000.0);
  EXPECT_EQ(as<double>(parse_typed("0.1")), 0.1);
  EXPECT_EQ(as<double>(parse_typed("9223372036854775808")), 9223372036854775808.0)
      << "too large for 64 bits";
  EXPECT_EQ(as<std::string>(parse_typed("leapfrog")), "leapfrog");
  EXPECT_EQ(as<std::string>(parse_typed("\"42\"")), "42");
  EXPECT_EQ(as<std::string>(parse_typed("\"")), "\"");
  EXPECT_EQ(as<std::string>(parse_typed("")), "");
  EXPECT_EQ(as<std::string>(parse_typed("1.5kpc")), "1.5kpc");
  EXPECT_EQ(as<std::string>(parse_typed("1e999")), "1e999");
}

TEST(ParseTyped, ReadsLists) {
  for (const char* text : {"[1, 2.5,text]", "{1,2.5 , text}", "{ 1, 2.5, \"text\" }"}) {
    const Value value = parse_typed(text);
    const Table* const list = value.table();
    ASSERT_NE(list, nullptr) << text;
    ASSERT_EQ(list->items.size(), 3u) << text;
    EXPECT_EQ(as<std::int64_t>(list->items[0]), 1);
    EXPECT_EQ(as<double>(list->items[1]), 2.5);
    EXPECT_EQ(as<std::string>(list->items[2]), "text");
    EXPECT_EQ(list->items[0].line, command_line);
  }
  EXPECT_EQ(parse_typed("{\"a,b\"}").table()->items.size(), 1u) << "a comma in quotes";
  for (const char* text : {"{1", "1}", "[1}", "{"})
    EXPECT_EQ(as<std::string>(parse_typed(text)), text);
}

TEST(ParseTyped, ComesFromTheCommandLine) {
  EXPECT_EQ(parse_typed("1").line, command_line);
}

class Put : public testing::Test {
 protected:
  Put() {
    Table gravity;
    gravity.members = {{"constant", number(1)}, {"softening", number(2)}};
    Table bodies;
    bodies.items = {{gravity, 0}, number(5)};
    root_.members = {
        {"bodies", {bodies, 0}}, {"gravity", {gravity, 0}}, {"title", {std::string("x"), 0}}};
  }
  Table root_;
};

TEST_F(Put, ReplacesWhatIsThere) {
  ASSERT_TRUE(put(root_, "gravity.softening", number(9)));
  EXPECT_EQ(as<double>(root_.find("gravity")->value.table()->find("softening")->value), 9);
  ASSERT_TRUE(put(root_, "title", number(3)));
  EXPECT_EQ(as<double>(root_.find("title")->value), 3);
}

TEST_F(Put, MakesTheTablesOnTheWayInTheOrderOfNames) {
  ASSERT_TRUE(put(root_, "health.limits.energy", number(4)));
  const Table* limits = root_.find("health")->value.table()->find("limits")->value.table();
  EXPECT_EQ(as<double>(limits->find("energy")->value), 4);
  EXPECT_EQ(root_.members[2].name, "health");
}

TEST_F(Put, CountsItemsFromOne) {
  ASSERT_TRUE(put(root_, "bodies.1.softening", number(7)));
  EXPECT_EQ(
      as<double>(root_.find("bodies")->value.table()->items[0].table()->find("softening")->value),
      7);
  EXPECT_FALSE(put(root_, "bodies.0.softening", number(7)));
  EXPECT_FALSE(put(root_, "bodies.3.softening", number(7)));
}

TEST_F(Put, DoesNotCrossOtherValuesThanTables) {
  EXPECT_FALSE(put(root_, "title.length", number(7)));
  EXPECT_FALSE(put(root_, "bodies.2.mass", number(7)));
}

TEST(Describe, NamesValuesAsAUserWroteThem) {
  EXPECT_EQ(describe({true, 0}), "true");
  EXPECT_EQ(describe({std::int64_t{3}, 0}), "3");
  EXPECT_EQ(describe(number(0.02)), "0.02");
  EXPECT_EQ(describe(number(-std::numeric_limits<double>::quiet_NaN())), "nan");
  EXPECT_EQ(describe({std::string("a\"b"), 0}), "text \"a\\\"b\"");
  EXPECT_EQ(describe({std::string(60, 'x'), 0}), "text \"" + std::string(37, 'x') + "...\"");
  EXPECT_EQ(describe({}), "nothing");
  EXPECT_EQ(describe({Unusable{"a function"}, 0}), "a function");
  EXPECT_EQ(describe({Table{}, 0}), "an empty table");
  EXPECT_EQ(describe({Table{{{"a", number(1)}}, {}}, 0}), "a table");
  EXPECT_EQ(describe({Table{{}, {number(1), {std::string("b"), 0}}}, 0}), "{1, \"b\"}");
  EXPECT_EQ(describe({Table{{}, {number(1), {Table{}, 0}}}, 0}), "a list of 2 values");
  EXPECT_EQ(describe({Table{{}, std::vector<Value>(5)}, 0}), "a list of 5 values");
}

}  // namespace
}  // namespace mote::sim
