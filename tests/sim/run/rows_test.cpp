#include "sim/run/rows.h"

#include <gtest/gtest.h>

namespace mote::test {
namespace {

sim::Measurement at(std::uint64_t step) {
  sim::Measurement m;
  m.step = step;
  return m;
}

TEST(Rows, AreThereOnceAndInOrder) {
  sim::Rows rows(10);
  for (const std::uint64_t step : {0, 10, 15, 20, 10, 20, 30}) rows.add(at(step));
  ASSERT_EQ(rows.all().size(), 4u);
  EXPECT_EQ(rows.all().back().step, 30u);
}

TEST(Rows, AreThinnedEvenlyWhenThereAreMany) {
  sim::Rows rows(1);
  for (std::uint64_t step = 0; step < 10 * sim::Rows::most; ++step) rows.add(at(step));
  EXPECT_LE(rows.all().size(), sim::Rows::most);
  EXPECT_GT(rows.all().size(), sim::Rows::most / 2 - 1);
  EXPECT_EQ(rows.every(), 16u);
  for (std::size_t i = 0; i < rows.all().size(); ++i)
    ASSERT_EQ(rows.all()[i].step, i * rows.every());
}

TEST(Rows, BehindAStepAreForgotten) {
  sim::Rows rows(1);
  for (std::uint64_t step = 0; step < 9; ++step) rows.add(at(step));
  rows.cut(4);
  EXPECT_EQ(rows.all().back().step, 4u);
  rows.add(at(5));
  EXPECT_EQ(rows.all().back().step, 5u);
}

TEST(Rows, FollowOthersThroughThinningAndCuts) {
  sim::Rows rows(1), copy(1);
  std::uint64_t step = 0;
  const auto same = [&] {
    copy.follow(rows);
    ASSERT_EQ(copy.all().size(), rows.all().size());
    for (std::size_t i = 0; i < copy.all().size(); ++i)
      ASSERT_EQ(copy.all()[i].step, rows.all()[i].step);
  };
  for (int round = 0; round < 40; ++round) {
    for (int i = 0; i < 700; ++i) rows.add(at(step++));
    if (round % 7 == 3) rows.cut(step -= 500);
    same();
  }
}

}  // namespace
}  // namespace mote::test
