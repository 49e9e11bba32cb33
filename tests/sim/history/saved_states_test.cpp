#include "sim/history/saved_states.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <new>
#include <string>

#include "engine/check.h"

namespace mote::sim {
namespace {

using Steps = std::vector<std::uint64_t>;

constexpr std::uint64_t each = 100;  // bytes of a state

std::unique_ptr<SavedState> state(std::uint64_t step) {
  auto saved = std::make_unique<SavedState>();
  saved->run_clock.clock.step = step;
  saved->bytes = each;
  return saved;
}

/// Capacity for `states` states, in addition to the quarter reserved for seeks.
SavedStates store(std::uint64_t states, std::uint64_t interval = 1, std::uint64_t first = 0) {
  std::uint64_t all = states;
  while (all - std::min<std::uint64_t>(16, all / 4) < states) ++all;
  return {all * each, each, interval, {state(first), 0, SavedStates::Kind::grid}};
}

void on_grid(SavedStates& saved, std::uint64_t step) {
  saved.save_on_grid(step, 0, [step] { return state(step); });
}
void before_edit(SavedStates& saved, std::uint64_t step) {
  saved.save_before_edit(step, 0, [step] { return state(step); });
}
void after_seek(SavedStates& saved, std::uint64_t step) {
  saved.save_for_seek(step, 0, [step] { return state(step); });
}

void run(SavedStates& saved, std::uint64_t from, std::uint64_t to) {
  for (std::uint64_t step = from; step <= to; ++step) on_grid(saved, step);
}

TEST(SavedStates, AreAllStepsWithinTheBudget) {
  SavedStates saved = store(6);
  run(saved, 1, 5);
  EXPECT_EQ(saved.steps(), (Steps{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(saved.bytes(), 600u);
}

TEST(SavedStates, DoubleTheirIntervalWhenTheBudgetIsFull) {
  SavedStates saved = store(6);
  run(saved, 1, 6);
  EXPECT_EQ(saved.steps(), (Steps{0, 2, 4, 6}));
  run(saved, 7, 12);
  EXPECT_EQ(saved.steps(), (Steps{0, 4, 8, 12}));
  EXPECT_EQ(saved.interval(), 4u);
  EXPECT_EQ(saved.next(12), 16u);
}

// For any length of a run no gap between saved states is longer than twice the shortest possible.
TEST(SavedStates, CoverARunOfAnyLengthEvenly) {
  for (std::uint64_t states : {2u, 3u, 4u, 7u, 50u}) {
    SavedStates saved = store(states);
    for (std::uint64_t step = 1; step <= 3000; ++step) {
      on_grid(saved, step);
      ASSERT_LE(saved.bytes(), (states + states / 3) * each);
      ASSERT_LE(saved.interval(), std::max<std::uint64_t>(1, 2 * step / (states - 1)))
          << states << " at " << step;
      const Steps steps = saved.steps();
      ASSERT_LT(step - steps.back(), saved.interval());
      for (std::size_t k = 1; k < steps.size(); ++k)
        ASSERT_EQ(steps[k] - steps[k - 1], saved.interval());
    }
  }
}

TEST(SavedStates, AreOnlyTheFirstWhereNoTwoFit) {
  for (std::uint64_t states : {0u, 1u}) {
    SavedStates saved = store(states);
    run(saved, 1, 100);
    before_edit(saved, 100);
    after_seek(saved, 50);
    EXPECT_EQ(saved.steps(), Steps{0});
    EXPECT_EQ(saved.next(100), never);  // no reason to interrupt stepping
  }
}

TEST(SavedStates, BeforeEditsOutliveGridStates) {
  SavedStates saved = store(6);
  run(saved, 1, 4);
  before_edit(saved, 3);
  before_edit(saved, 5);
  run(saved, 5, 40);
  EXPECT_EQ(saved.steps(), (Steps{0, 3, 5, 16, 32}));
}

TEST(SavedStates, BeforeEditsTakeNoMoreThanHalf) {
  SavedStates saved = store(8);
  for (std::uint64_t step = 1; step <= 1000; ++step) {
    on_grid(saved, step);
    before_edit(saved, step);  // a slider dragged during a run
    ASSERT_LE(saved.bytes(), 8 * each);
  }
  const Steps steps = saved.steps();
  ASSERT_GE(steps.size(), 6u);
  EXPECT_EQ(steps.back(), 1000u);
  EXPECT_EQ(steps.front(), 0u);
  EXPECT_EQ(steps[1] % saved.interval(), 0u);  // some grid states are left
}

TEST(SavedStates, BeforeEditsAreReplacedWhereOnlyTwoFit) {
  SavedStates saved = store(2);
  run(saved, 1, 5);
  before_edit(saved, 5);
  EXPECT_EQ(saved.steps(), (Steps{0, 5}));
  run(saved, 6, 1000);
  EXPECT_EQ(saved.steps(), (Steps{0, 512}));
}

TEST(SavedStates, OfSeeksAreReplacedByThoseOfLaterSeeks) {
  SavedStates saved = store(8);
  run(saved, 1, 8);  // 0, 2, 4, 6, 8
  after_seek(saved, 5);
  after_seek(saved, 7);
  EXPECT_EQ(saved.steps(), (Steps{0, 2, 4, 5, 6, 7, 8}));
  after_seek(saved, 1);  // two are reserved: the one furthest from here is dropped
  EXPECT_EQ(saved.steps(), (Steps{0, 1, 2, 4, 5, 6, 8}));
  after_seek(saved, 7);
  EXPECT_EQ(saved.steps(), (Steps{0, 2, 4, 5, 6, 7, 8}));
  run(saved, 9, 16);
  EXPECT_EQ(saved.steps(), (Steps{0, 4, 5, 7, 8, 12, 16}));
  EXPECT_EQ(saved.bytes(), 7 * each);
}

TEST(SavedStates, FindTheLatestAtOrBefore) {
  SavedStates saved = store(6, 4);
  run(saved, 1, 12);
  EXPECT_EQ(saved.nearest(11).step(), 8u);
  EXPECT_EQ(saved.nearest(8).step(), 8u);
  EXPECT_EQ(saved.nearest(3).step(), 0u);
  EXPECT_EQ(saved.nearest(1000).step(), 12u);
  EXPECT_EQ(saved.at(8)->step(), 8u);
  EXPECT_EQ(saved.at(7), nullptr);
  const SavedStates late = store(6, 4, 5);
  EXPECT_EQ(late.nearest(0).step(), 5u);
}

TEST(SavedStates, AfterAStepAreDiscardedAndTheIntervalIsThatOfAShorterRun) {
  SavedStates saved = store(8);
  run(saved, 1, 1000);
  EXPECT_EQ(saved.interval(), 128u);
  saved.discard_after(300);
  EXPECT_EQ(saved.steps(), (Steps{0, 128, 256}));
  EXPECT_EQ(saved.interval(), 128u);
  saved.discard_after(255);
  EXPECT_EQ(saved.steps(), (Steps{0, 128}));
  EXPECT_EQ(saved.interval(), 64u);  // 0, 64, 128, 192 would be half of the capacity
  saved.discard_after(2);
  EXPECT_EQ(saved.steps(), Steps{0});
  EXPECT_EQ(saved.interval(), 1u);
}

TEST(SavedStates, DoNotDependOnHowOftenTheyAreOffered) {
  SavedStates every = store(9), some = store(9);
  run(every, 1, 4096);
  for (std::uint64_t step = 0; step < 4096;) on_grid(some, step = some.next(step));
  EXPECT_EQ(every.steps(), some.steps());
}

TEST(SavedStates, StayWithinTheMemoryThatTheyGotWhenItRunsOut) {
  SavedStates saved = store(100);
  run(saved, 1, 3);
  after_seek(saved, 50);
  saved.save_on_grid(4, 0, []() -> std::unique_ptr<SavedState> { throw std::bad_alloc(); });
  EXPECT_EQ(saved.steps(), (Steps{0, 1, 2, 3}));
  saved.save_on_grid(5, 0, []() -> std::unique_ptr<SavedState> {
    throw engine::SystemError("allocate", "out of memory", "none");
  });
  run(saved, 5, 8);
  EXPECT_LE(saved.bytes(), 4 * each);
  EXPECT_EQ(saved.steps(), (Steps{0, 8}));  // one of the four is now reserved for seeks
}

TEST(SavedStates, AreLimitedInNumber) {
  SavedStates saved = store(1'000'000'000);
  run(saved, 1, 10'000);
  EXPECT_LE(saved.steps().size(), SavedStates::max_states);
}

// All count as much as the largest. The minimum interval decreases, since larger states come with
// more expensive steps.
TEST(SavedStates, StayWithinTheBudgetWhenStatesBecomeLarger) {
  SavedStates saved = store(12, 4);
  run(saved, 1, 80);
  const std::size_t before = saved.steps().size();
  EXPECT_GT(before, 8u);
  saved.adapt(4 * each, 2);
  EXPECT_LE(saved.steps().size(), 4u);
  EXPECT_EQ(saved.steps().front(), 0u);
  EXPECT_EQ(saved.bytes(), saved.steps().size() * each);
  EXPECT_EQ(saved.min_interval(), 2u);
  run(saved, 81, 200);
  EXPECT_LE(saved.steps().size(), 4u);
  saved.adapt(each, 64);
  EXPECT_LE(saved.steps().size(), 4u);
  EXPECT_EQ(saved.min_interval(), 2u);
}

}  // namespace
}  // namespace mote::sim
