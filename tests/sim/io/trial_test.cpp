#include "sim/io/trial.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

namespace mote::sim {
namespace {

constexpr std::uint64_t room = 1 << 30;

Trial after(const std::function<void()>& work) {
  return try_first([&] { return work(), std::string("done"); }, room);
}

TEST(Trial, SaysHowAProcessEndedThatDidNotSurvive) {
  EXPECT_EQ(after([] { std::raise(SIGSEGV); }).end, "segmentation fault");
  EXPECT_EQ(after([] { std::raise(SIGABRT); }).end, "aborted");
  EXPECT_EQ(after([] { _Exit(3); }).end, "an error of its own");
  EXPECT_EQ(after([] { std::raise(SIGSEGV); }).said, "");
}

TEST(Trial, HandsOverWhatWorkSaysThatComesToItsEnd) {
  const std::string text = std::string("with a zero: \0", 14) + std::string(100000, 'x');
  const Trial trial = try_first([&] { return text; }, room);
  EXPECT_EQ(trial.said, text);
  EXPECT_EQ(trial.end, "");
}

TEST(Trial, SaysNothingOfWhatIsNoFaultOfTheWork) {
  EXPECT_EQ(after([] { throw std::runtime_error("told when it is done again"); }).end, "");
  EXPECT_EQ(after([] { std::raise(SIGINT); }).end, "");  // the user's
}

TEST(Trial, GivesNoMoreMemoryThanThereIsRoomFor) {
  const auto take = [](std::size_t bytes) {
    return after([bytes] { std::vector<char> much(bytes, 1); }).end;
  };
  EXPECT_EQ(take(room / 2), "");
#ifndef __SANITIZE_ADDRESS__  // which ends the process itself
  EXPECT_EQ(take(room * 2), "too much memory");
#endif
}

TEST(Trial, IsGivenUpWhenTheCopyWaitsForAThreadThatItDoesNotHave) {
  std::mutex held;
  held.lock();
  const Trial trial = after([&] { held.lock(); });
  EXPECT_EQ(trial.said, "");
  EXPECT_EQ(trial.end, "");
}

TEST(Trial, ChangesNothingHere) {
  int value = 1;
  EXPECT_EQ(after([&] { value = 2; }).said, "done");
  EXPECT_EQ(value, 1);
}

}  // namespace
}  // namespace mote::sim
