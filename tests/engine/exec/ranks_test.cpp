#include "engine/exec/ranks.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "engine/check.h"

namespace mote::engine {
namespace {

TEST(Ranks, GatherInTheirOrder) {
  run_ranks(3, [](Ranks& ranks) {
    // One more from each.
    const std::vector<int> own(static_cast<std::size_t>(ranks.rank()), ranks.rank());
    EXPECT_EQ(gather(&ranks, own), (std::vector<int>{1, 2, 2}));
    EXPECT_EQ(sum_over(&ranks, std::uint64_t{5}), 15u);
    EXPECT_EQ(least_of(&ranks, 7 - ranks.rank()), 5);
    EXPECT_TRUE(any_of(&ranks, ranks.rank() == 1));
    EXPECT_FALSE(any_of(&ranks, false));
  });
  EXPECT_EQ(gather(nullptr, std::vector{4, 2}), (std::vector{4, 2}));
  EXPECT_EQ(sum_over(nullptr, std::uint64_t{5}), 5u);
}

TEST(Ranks, MatchMessagesByTheirOrderAndCountBytes) {
  run_ranks(2, [](Ranks& ranks) {
    const int other = 1 - ranks.rank();
    const std::vector<std::byte> first(3, std::byte{1}), second(5, std::byte{2});
    std::vector<std::byte> a(3), b(5);
    const Ranks::Outgoing send[] = {{other, first}, {other, second}};
    const Ranks::Incoming receive[] = {{other, a}, {other, b}};
    for (int round = 0; round < 100; ++round) {
      ranks.exchange(send, receive);
      EXPECT_EQ(a, first);
      EXPECT_EQ(b, second);
    }
    EXPECT_EQ(ranks.bytes_sent(), 800u);
    EXPECT_EQ(ranks.bytes_received(), 800u);
  });
}

TEST(Ranks, DivideEvenlyBetweenMultiples) {
  Index next = 0;
  for (int rank = 0; rank < 3; ++rank) {
    const Range share = share_of(1000, rank, 3, 16);
    EXPECT_EQ(share.begin, next);
    EXPECT_EQ(share.begin % 16, 0);
    EXPECT_NEAR(static_cast<double>(share.count()), 1000.0 / 3, 16);
    next = share.end;
  }
  EXPECT_EQ(next, 1000);
  EXPECT_EQ(common({2, 5}, {4, 9}), (Range{4, 5}));
  EXPECT_EQ(common({2, 5}, {7, 9}).count(), 0);
}

TEST(Ranks, EndWhenOneFails) {
  int ended = 0;
  try {
    run_ranks(3, [&](Ranks& ranks) {
      if (ranks.rank() == 1) throw InputError("", "this one has failed", "");
      try {
        any_of(&ranks, false);
      } catch (const SystemError&) {
        if (ranks.rank() == 0) ++ended;
        throw;
      }
    });
    FAIL() << "the error is lost";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "this one has failed");
  }
  EXPECT_EQ(ended, 1);
  // One that has ended without an error is missed, too.
  EXPECT_THROW(run_ranks(2,
                         [](Ranks& ranks) {
                           if (ranks.rank() == 0) any_of(&ranks, false);
                         }),
               SystemError);
}

// Ranks that make different calls throw, and do not go on with wrong numbers.
TEST(Ranks, RefuseMessagesThatAreNotExpected) {
  EXPECT_THROW(run_ranks(2,
                         [](Ranks& ranks) {
                           if (ranks.rank() == 0)
                             any_of(&ranks, false);
                           else
                             gather_one(&ranks, 'a');
                         }),
               SystemError);
}

TEST(RankTeam, DoesJobsTogether) {
  RankTeam team(3);
  std::vector<std::uint64_t> sums(3);
  for (int job = 0; job < 50; ++job) {
    team.begin([&](Ranks& ranks) {
      sums[static_cast<std::size_t>(ranks.rank())] = sum_over(&ranks, std::uint64_t{10});
    });
    sums[0] = sum_over(&team.own(), std::uint64_t{1});
    team.finish();
    EXPECT_EQ(sums, (std::vector<std::uint64_t>{21, 21, 21}));
  }
  // One that all throw ends nothing.
  team.begin([](Ranks&) { throw InputError("", "all refuse", ""); });
  team.finish();
  team.check();
}

// A rank that makes fewer exchanges than others is not waited for.
TEST(RankTeam, TellsRanksThatOthersMakeOtherCalls) {
  {
    RankTeam team(3);
    team.begin([](Ranks& ranks) {
      if (ranks.rank() == 1) throw InputError("", "only this one refuses", "");
      any_of(&ranks, false);
    });
    EXPECT_THROW(any_of(&team.own(), false), SystemError);
    team.finish();
    EXPECT_THROW(team.check(), SystemError);
  }
  RankTeam team(3);
  team.begin([](Ranks& ranks) { any_of(&ranks, false); });
  team.finish();  // rank 0 makes no exchange
  EXPECT_THROW(team.check(), SystemError);
}

TEST(RankTeam, EndsWithTheErrorOfARank) {
  RankTeam team(3);
  team.begin([](Ranks& ranks) {
    if (ranks.rank() == 2) throw std::runtime_error("the GPU is gone");
    any_of(&ranks, false);
  });
  std::string text;
  try {
    any_of(&team.own(), false);
  } catch (const SystemError& error) {
    text = error.what();
  }
  EXPECT_NE(text.find("the GPU is gone"), std::string::npos) << text;
  team.finish();
}

}  // namespace
}  // namespace mote::engine
