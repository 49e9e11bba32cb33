#include "sim/run/kept_states.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <new>
#include <string>

#include "engine/check.h"

namespace mote::sim {
namespace {

using Steps = std::vector<std::uint64_t>;

constexpr std::uint64_t each = 100;  // bytes of a state

std::unique_ptr<KeptState> state(std::uint64_t step) {
  auto kept = std::make_unique<KeptState>();
  kept->clockwork.step = step;
  kept->bytes = each;
  return kept;
}

/// With room for so many, beside the quarter for near ones.
KeptStates store(std::uint64_t room, std::uint64_t interval = 1, std::uint64_t first = 0) {
  std::uint64_t all = room;
  while (all - std::min<std::uint64_t>(16, all / 4) < room) ++all;
  return {all * each, each, interval, {state(first), 0, KeptStates::Kind::grid}};
}

void on_grid(KeptStates& kept, std::uint64_t step) {
  kept.keep_on_grid(step, 0, [step] { return state(step); });
}
void before_edit(KeptStates& kept, std::uint64_t step) {
  kept.keep_before_edit(step, 0, [step] { return state(step); });
}
void near(KeptStates& kept, std::uint64_t step) {
  kept.keep_near(step, 0, [step] { return state(step); });
}

void run(KeptStates& kept, std::uint64_t from, std::uint64_t to) {
  for (std::uint64_t step = from; step <= to; ++step) on_grid(kept, step);
}

TEST(KeptStates, AreAllStepsWhileThereIsRoom) {
  KeptStates kept = store(6);
  run(kept, 1, 5);
  EXPECT_EQ(kept.steps(), (Steps{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(kept.bytes(), 600u);
}

TEST(KeptStates, DoubleTheirIntervalWhenThereIsNoMore) {
  KeptStates kept = store(6);
  run(kept, 1, 6);
  EXPECT_EQ(kept.steps(), (Steps{0, 2, 4, 6}));
  run(kept, 7, 12);
  EXPECT_EQ(kept.steps(), (Steps{0, 4, 8, 12}));
  EXPECT_EQ(kept.interval(), 4u);
  EXPECT_EQ(kept.next(12), 16u);
}

// At any length of a run: no hole between kept states is longer than twice the shortest possible.
TEST(KeptStates, CoverARunOfAnyLengthEvenly) {
  for (std::uint64_t room : {2u, 3u, 4u, 7u, 50u}) {
    KeptStates kept = store(room);
    for (std::uint64_t step = 1; step <= 3000; ++step) {
      on_grid(kept, step);
      ASSERT_LE(kept.bytes(), (room + room / 3) * each);
      ASSERT_LE(kept.interval(), std::max<std::uint64_t>(1, 2 * step / (room - 1)))
          << room << " at " << step;
      const Steps steps = kept.steps();
      ASSERT_LT(step - steps.back(), kept.interval());
      for (std::size_t k = 1; k < steps.size(); ++k)
        ASSERT_EQ(steps[k] - steps[k - 1], kept.interval());
    }
  }
}

TEST(KeptStates, AreOnlyTheFirstWhereNoTwoFit) {
  for (std::uint64_t room : {0u, 1u}) {
    KeptStates kept = store(room);
    run(kept, 1, 100);
    before_edit(kept, 100);
    near(kept, 50);
    EXPECT_EQ(kept.steps(), Steps{0});
    EXPECT_EQ(kept.next(100), never);  // no reason to interrupt anything
  }
}

TEST(KeptStates, BeforeEditsOutliveThoseOfTheGrid) {
  KeptStates kept = store(6);
  run(kept, 1, 4);
  before_edit(kept, 3);
  before_edit(kept, 5);
  run(kept, 5, 40);
  EXPECT_EQ(kept.steps(), (Steps{0, 3, 5, 16, 32}));
}

TEST(KeptStates, BeforeEditsTakeNoMoreThanHalf) {
  KeptStates kept = store(8);
  for (std::uint64_t step = 1; step <= 1000; ++step) {
    on_grid(kept, step);
    before_edit(kept, step);  // a slider that is drawn while time runs
    ASSERT_LE(kept.bytes(), 8 * each);
  }
  const Steps steps = kept.steps();
  ASSERT_GE(steps.size(), 6u);
  EXPECT_EQ(steps.back(), 1000u);
  EXPECT_EQ(steps.front(), 0u);
  EXPECT_EQ(steps[1] % kept.interval(), 0u);  // some of the grid are left
}

TEST(KeptStates, BeforeEditsGiveWayWhereOnlyTwoFit) {
  KeptStates kept = store(2);
  run(kept, 1, 5);
  before_edit(kept, 5);
  EXPECT_EQ(kept.steps(), (Steps{0, 5}));
  run(kept, 6, 1000);
  EXPECT_EQ(kept.steps(), (Steps{0, 512}));
}

TEST(KeptStates, NearOnesMakeWayForThoseWhereOneSearchesNow) {
  KeptStates kept = store(8);
  run(kept, 1, 8);  // 0, 2, 4, 6, 8
  near(kept, 5);
  near(kept, 7);
  EXPECT_EQ(kept.steps(), (Steps{0, 2, 4, 5, 6, 7, 8}));
  near(kept, 1);  // there is room for two: the one that is furthest from here goes
  EXPECT_EQ(kept.steps(), (Steps{0, 1, 2, 4, 5, 6, 8}));
  near(kept, 7);
  EXPECT_EQ(kept.steps(), (Steps{0, 2, 4, 5, 6, 7, 8}));
  run(kept, 9, 16);
  EXPECT_EQ(kept.steps(), (Steps{0, 4, 5, 7, 8, 12, 16}));
  EXPECT_EQ(kept.bytes(), 7 * each);
}

TEST(KeptStates, FindTheLatestAtOrBefore) {
  KeptStates kept = store(6, 4);
  run(kept, 1, 12);
  EXPECT_EQ(kept.nearest(11).step(), 8u);
  EXPECT_EQ(kept.nearest(8).step(), 8u);
  EXPECT_EQ(kept.nearest(3).step(), 0u);
  EXPECT_EQ(kept.nearest(1000).step(), 12u);
  EXPECT_EQ(kept.at(8)->step(), 8u);
  EXPECT_EQ(kept.at(7), nullptr);
  const KeptStates late = store(6, 4, 5);
  EXPECT_EQ(late.nearest(0).step(), 5u);
}

TEST(KeptStates, BehindAStepAreForgottenAndTheIntervalIsThatOfAShorterRun) {
  KeptStates kept = store(8);
  run(kept, 1, 1000);
  EXPECT_EQ(kept.interval(), 128u);
  kept.drop_behind(300);
  EXPECT_EQ(kept.steps(), (Steps{0, 128, 256}));
  EXPECT_EQ(kept.interval(), 128u);
  kept.drop_behind(255);
  EXPECT_EQ(kept.steps(), (Steps{0, 128}));
  EXPECT_EQ(kept.interval(), 64u);  // 0, 64, 128, 192 would be half of what has room
  kept.drop_behind(2);
  EXPECT_EQ(kept.steps(), Steps{0});
  EXPECT_EQ(kept.interval(), 1u);
}

TEST(KeptStates, DoNotDependOnHowOftenTheyAreOffered) {
  KeptStates every = store(9), some = store(9);
  run(every, 1, 4096);
  for (std::uint64_t step = 0; step < 4096;) on_grid(some, step = some.next(step));
  EXPECT_EQ(every.steps(), some.steps());
}

TEST(KeptStates, MakeDoWithWhatFitsWhenMemoryRunsOut) {
  KeptStates kept = store(100);
  run(kept, 1, 3);
  near(kept, 50);
  kept.keep_on_grid(4, 0, []() -> std::unique_ptr<KeptState> { throw std::bad_alloc(); });
  EXPECT_EQ(kept.steps(), (Steps{0, 1, 2, 3}));
  kept.keep_on_grid(5, 0, []() -> std::unique_ptr<KeptState> {
    throw engine::SystemError("allocate", "out of memory", "none");
  });
  run(kept, 5, 8);
  EXPECT_LE(kept.bytes(), 4 * each);
  EXPECT_EQ(kept.steps(), (Steps{0, 8}));  // one of the four is for searches now
}

TEST(KeptStates, AreNeverMoreThanATimelineNeeds) {
  KeptStates kept = store(1'000'000'000);
  run(kept, 1, 10'000);
  EXPECT_LE(kept.steps().size(), KeptStates::most);
}

// As if all took as much as the largest; and closer together, where fewer fit and steps cost more.
TEST(KeptStates, StayWithinTheBudgetWhenStatesBecomeLarger) {
  KeptStates kept = store(12, 4);
  run(kept, 1, 80);
  const std::size_t before = kept.steps().size();
  EXPECT_GT(before, 8u);
  kept.fit(4 * each, 2);
  EXPECT_LE(kept.steps().size(), 4u);
  EXPECT_EQ(kept.steps().front(), 0u);
  EXPECT_EQ(kept.bytes(), kept.steps().size() * each);
  EXPECT_EQ(kept.least_interval(), 2u);
  run(kept, 81, 200);
  EXPECT_LE(kept.steps().size(), 4u);
  kept.fit(each, 64);
  EXPECT_LE(kept.steps().size(), 4u);
  EXPECT_EQ(kept.least_interval(), 2u);
}

}  // namespace
}  // namespace mote::sim
