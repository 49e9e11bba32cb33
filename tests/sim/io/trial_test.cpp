#include "sim/io/trial.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>

namespace mote::sim {
namespace {

TEST(Trial, SaysHowAProcessEndedThatDidNotSurvive) {
  EXPECT_EQ(try_first([] { std::raise(SIGSEGV); }), "segmentation fault");
  EXPECT_EQ(try_first([] { std::raise(SIGABRT); }), "aborted");
  EXPECT_EQ(try_first([] { _Exit(3); }), "an error of its own");
}

TEST(Trial, SaysNothingOfWorkThatComesToItsEnd) {
  EXPECT_EQ(try_first([] {}), "");
  EXPECT_EQ(try_first([] { throw std::runtime_error("told when it is done again"); }), "");
  // The user's own signal is no fault of the work.
  EXPECT_EQ(try_first([] { std::raise(SIGINT); }), "");
}

TEST(Trial, ChangesNothingHere) {
  int value = 1;
  EXPECT_EQ(try_first([&] { value = 2; }), "");
  EXPECT_EQ(value, 1);
}

}  // namespace
}  // namespace mote::sim
