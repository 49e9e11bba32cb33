#include <gtest/gtest.h>
#include <cstdlib>
TEST(Program, Starts) { EXPECT_EQ(std::system(MOTE_PROGRAM " --version"), 0); }
