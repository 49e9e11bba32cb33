#include "engine/params.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace mote::engine {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Pendulum {
  bool damped = true;
  std::int64_t links = 2;
  double length = 1.5;
  std::string label = "first";
  std::string method = "exact";
  Vec3d down{0, 0, -1};
  std::optional<double> period;
  std::optional<std::int64_t> seed = 7;
};

ParamTable<Pendulum> pendulum() {
  return {
      "pendulum",
      "something that swings",
      {param(&Pendulum::damped, {.name = "damped", .help = "loses energy"}),
       param(&Pendulum::links,
             {.name = "links", .help = "number of rods", .minimum = 1, .required = true}),
       param(&Pendulum::length, {.name = "length", .help = "of a rod", .unit = "length"}),
       param(&Pendulum::label, {.name = "label", .help = "shown"}),
       param(&Pendulum::method, {.name = "method", .help = "how", .choices = {"exact", "small"}}),
       param(&Pendulum::down, {.name = "down", .help = "where it hangs"}),
       param(&Pendulum::period, {.name = "period", .help = "of a swing", .unit = "time"}),
       param(&Pendulum::seed, {.name = "seed", .help = "of chance"})}};
}

ParamInfo between(double minimum, double maximum, bool excluded = false) {
  ParamInfo info;
  info.minimum = minimum;
  info.maximum = maximum;
  info.minimum_excluded = excluded;
  return info;
}

TEST(Params, TextOfAValueIsAsAUserWouldWriteIt) {
  EXPECT_EQ(text_of(true), "true");
  EXPECT_EQ(text_of(false), "false");
  EXPECT_EQ(text_of(std::int64_t{-3}), "-3");
  EXPECT_EQ(text_of(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(text_of(0.02), "0.02");
  EXPECT_EQ(text_of(3.0), "3");
  EXPECT_EQ(text_of(std::string("leap\"frog")), R"("leap\"frog")");
  EXPECT_EQ(text_of(Vec3d{1, 0, -0.5}), "{1, 0, -0.5}");
  EXPECT_EQ(text_of(ParamValue()), "none");
}

TEST(Params, TypesHaveTheNamesThatAUserReads) {
  EXPECT_EQ(name_of(ParamType::boolean), "boolean");
  EXPECT_EQ(name_of(ParamType::integer), "integer");
  EXPECT_EQ(name_of(ParamType::real), "number");
  EXPECT_EQ(name_of(ParamType::text), "text");
  EXPECT_EQ(name_of(ParamType::choice), "text");
  EXPECT_EQ(name_of(ParamType::vector), "vector {x, y, z}");
}

TEST(Params, RangeIsWrittenAsNarrowlyAsItIs) {
  EXPECT_EQ(range_of({}), "");
  EXPECT_EQ(range_of(between(0, 1)), "0 .. 1");
  EXPECT_EQ(range_of(between(0, 1, true)), "> 0 and <= 1");
  EXPECT_EQ(range_of(between(0, unbounded)), ">= 0");
  EXPECT_EQ(range_of(between(0, unbounded, true)), "> 0");
  EXPECT_EQ(range_of(between(-unbounded, 90)), "<= 90");
  EXPECT_EQ(range_of(between(-unbounded, 90, true)), "<= 90");
  ParamInfo choice;
  choice.choices = {"a", "b"};
  EXPECT_EQ(range_of(choice), "one of: a, b");
}

TEST(Params, BoundsBelongToTheRange) {
  const ParamInfo info = between(-1, 1);
  for (double inside : {-1.0, 0.0, 1.0}) EXPECT_FALSE(range_problem(info, inside)) << inside;
  for (double outside : {std::nextafter(-1.0, -2.0), std::nextafter(1.0, 2.0), -1e300, 1e300})
    EXPECT_EQ(range_problem(info, outside), "is out of range") << outside;
}

TEST(Params, ExcludedMinimumDoesNotBelongToTheRange) {
  const ParamInfo info = between(0, 1, true);
  EXPECT_EQ(range_problem(info, 0.0), "is out of range");
  EXPECT_EQ(range_problem(info, -0.0), "is out of range");
  EXPECT_EQ(range_problem(info, std::int64_t{0}), "is out of range");
  EXPECT_FALSE(range_problem(info, std::numeric_limits<double>::denorm_min()));
  EXPECT_FALSE(range_problem(info, 1.0));
}

TEST(Params, NumbersMustBeFiniteEvenWithoutBounds) {
  for (double number : {nan, infinity, -infinity}) {
    EXPECT_EQ(range_problem({}, number), "is not a finite number") << number;
    EXPECT_EQ(range_problem(between(0, 1), number), "is not a finite number") << number;
  }
  EXPECT_FALSE(range_problem({}, std::numeric_limits<double>::max()));
  EXPECT_FALSE(range_problem({}, std::numeric_limits<double>::lowest()));
}

// 2^53 + 1 is not representable in double; rounded, it would be 2^53, which is allowed.
TEST(Params, LargeIntegersAreNotRoundedIntoTheRange) {
  const std::int64_t largest = std::int64_t{1} << 53;
  const ParamInfo info = between(-static_cast<double>(largest), static_cast<double>(largest));
  for (std::int64_t inside : {largest, -largest}) EXPECT_FALSE(range_problem(info, inside));
  for (std::int64_t outside : {largest + 1, -largest - 1, std::numeric_limits<std::int64_t>::max()})
    EXPECT_EQ(range_problem(info, outside), "is out of range") << outside;
  EXPECT_FALSE(range_problem({}, std::numeric_limits<std::int64_t>::max()));
}

TEST(Params, EachComponentOfAVectorObeysTheRange) {
  const ParamInfo info = between(0, 1);
  EXPECT_FALSE(range_problem(info, Vec3d{0, 0.5, 1}));
  for (const Vec3d& v : {Vec3d{-1, 0, 0}, Vec3d{0, 2, 0}, Vec3d{0, 0, -1}})
    EXPECT_EQ(range_problem(info, v), "is out of range");
  for (const Vec3d& v : {Vec3d{nan, 0, 0}, Vec3d{0, infinity, 0}, Vec3d{0, 0, nan}})
    EXPECT_EQ(range_problem(info, v), "is not a finite number");
}

TEST(Params, ChoiceMustBeOneOfTheChoices) {
  ParamInfo info;
  info.choices = {"exact", "small"};
  EXPECT_FALSE(range_problem(info, std::string("small")));
  for (const char* other : {"", "Small", "exac", "exact, small"})
    EXPECT_EQ(range_problem(info, std::string(other)), "is not one of the choices") << other;
}

TEST(Params, WhatHasNoRangeIsNeverOutOfIt) {
  const ParamInfo info = between(5, 6);
  EXPECT_FALSE(range_problem(info, ParamValue()));
  EXPECT_FALSE(range_problem(info, true));
  EXPECT_FALSE(range_problem(info, std::string("anything")));
}

TEST(Params, TypeFollowsFromTheMember) {
  const ParamTable<Pendulum> table = pendulum();
  const ParamType expected[] = {ParamType::boolean, ParamType::integer, ParamType::real,
                                ParamType::text,    ParamType::choice,  ParamType::vector,
                                ParamType::real,    ParamType::integer};
  ASSERT_EQ(table.params.size(), std::size(expected));
  for (std::size_t i = 0; i < table.params.size(); ++i)
    EXPECT_EQ(table.params[i].type, expected[i]) << i;
}

TEST(Params, SheetHoldsTheDefaultsOfAnOwner) {
  const ParamSheet sheet = sheet_of(pendulum());
  EXPECT_EQ(sheet.name, "pendulum");
  EXPECT_EQ(sheet.help, "something that swings");
  // `links` is required, so it has no default; `period` is an empty optional.
  const char* const expected[] = {"true",      "none",       "1.5",  "\"first\"",
                                  "\"exact\"", "{0, 0, -1}", "none", "7"};
  ASSERT_EQ(sheet.rows.size(), std::size(expected));
  for (std::size_t i = 0; i < sheet.rows.size(); ++i)
    EXPECT_EQ(text_of(sheet.rows[i].standard), expected[i]) << sheet.rows[i].info.name;
  EXPECT_TRUE(sheet.rows[1].info.required);
  EXPECT_EQ(sheet.rows[2].info.unit, "length");
  EXPECT_EQ(sheet.rows[4].type, ParamType::choice);
}

TEST(Params, SettingReachesTheMemberAndGettingReadsIt) {
  const ParamTable<Pendulum> table = pendulum();
  const ParamValue values[] = {
      false, std::int64_t{5}, 0.25, std::string("second"), std::string("small"), Vec3d{1, 0, 0},
      3.5,   std::int64_t{9}};
  Pendulum p;
  for (std::size_t i = 0; i < table.params.size(); ++i) {
    table.params[i].set(p, values[i]);
    EXPECT_EQ(text_of(table.params[i].get(p)), text_of(values[i])) << table.params[i].info.name;
  }
  EXPECT_FALSE(p.damped);
  EXPECT_EQ(p.links, 5);
  EXPECT_EQ(p.length, 0.25);
  EXPECT_EQ(p.label, "second");
  EXPECT_EQ(p.method, "small");
  EXPECT_TRUE(p.down == (Vec3d{1, 0, 0}));
  EXPECT_EQ(p.period, 3.5);
  EXPECT_EQ(p.seed, 9);
}

}  // namespace
}  // namespace mote::engine
