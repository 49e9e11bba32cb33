#include "api/default_scene.h"

#include <gtest/gtest.h>

namespace mote::test {
namespace {

using api::bodies_to_ask;
using enum api::DefaultMachine;

TEST(DefaultScene, HasMoreBodiesOnAGpuAndFewerForThePictureOfACpu) {
  EXPECT_EQ(bodies_to_ask(gpu, 16384, false), 1048576);
  EXPECT_EQ(bodies_to_ask(cpu_in_window, 16384, false), std::nullopt);
  EXPECT_EQ(bodies_to_ask(cpu_without_window, 16384, false), 4096);
}

TEST(DefaultScene, HasTheBodiesThatTheCommandLineSets) {
  for (const auto machine : {gpu, cpu_in_window, cpu_without_window})
    EXPECT_EQ(bodies_to_ask(machine, 20000, true), std::nullopt);
}

TEST(DefaultScene, StaysAsItIsWhereThatIsEnough) {
  EXPECT_EQ(bodies_to_ask(gpu, 4000000, false), std::nullopt);
  EXPECT_EQ(bodies_to_ask(cpu_without_window, 1000, false), std::nullopt);
}

}  // namespace
}  // namespace mote::test
