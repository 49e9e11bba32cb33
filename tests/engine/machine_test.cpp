#include "engine/machine.h"

#include <gtest/gtest.h>

#include <regex>

namespace mote::engine {
namespace {

constexpr std::uint64_t mebibyte = 1 << 20, pebibyte = std::uint64_t{1} << 50;

TEST(Machine, BuildKnowsItsVersionCompilerAndCommit) {
  const BuildInfo& info = build_info();
  EXPECT_TRUE(std::regex_match(info.version, std::regex(R"(\d+\.\d+\.\d+)"))) << info.version;
  EXPECT_TRUE(std::regex_match(info.compiler, std::regex(R"(\w+ \d+\.\d+.*)"))) << info.compiler;
  EXPECT_TRUE(std::regex_match(info.commit, std::regex(R"(([0-9a-f]{7,40}\+?)?)"))) << info.commit;
  EXPECT_FALSE(info.build_type.empty());
}

TEST(Machine, NumbersAreThoseOfAComputer) {
  const MachineInfo info = machine_info();
  EXPECT_FALSE(info.processor.empty());
  EXPECT_GE(info.threads, 1);
  EXPECT_LE(info.threads, 1 << 16);
  EXPECT_GT(info.memory, 64 * mebibyte);
  EXPECT_LT(info.memory, pebibyte);
  EXPECT_GT(info.memory_free, 0u);
  EXPECT_LE(info.memory_free, info.memory);
  EXPECT_TRUE(std::regex_match(info.system, std::regex(R"(\w+ \d+\..*)"))) << info.system;
}

// With a device, with a driver only, or with neither.
TEST(Machine, CudaListsDevicesOrSaysWhyThereAreNone) {
  CudaInfo info;
  ASSERT_NO_THROW(info = cuda_info());
  EXPECT_EQ(info.runtime.empty(), !build_info().cuda);
  EXPECT_TRUE(!info.devices.empty() || !info.problem.empty());
  for (const CudaDevice& device : info.devices) {
    EXPECT_FALSE(device.name.empty());
    EXPECT_TRUE(std::regex_match(device.compute_capability, std::regex(R"(\d+\.\d)")))
        << device.compute_capability;
    EXPECT_GT(device.memory, 64 * mebibyte);
    EXPECT_GT(device.multiprocessors, 0);
  }
}

TEST(Machine, CudaGivesTheSameAnswerTwice) {
  const CudaInfo first = cuda_info(), second = cuda_info();
  EXPECT_EQ(first.devices.size(), second.devices.size());
  EXPECT_EQ(first.problem, second.problem);
}

TEST(Machine, NamesPairsOfGpusThatOneOfThemCannotReach) {
  std::vector<engine::CudaDevice> gpus(4);
  gpus[0].reaches = {1, 2};
  gpus[1].reaches = {0, 3};
  gpus[2].reaches = {0, 3};
  gpus[3].reaches = {2};
  EXPECT_EQ(engine::pairs_without_link(gpus, {0, 1, 2, 3}), "0-3, 1-2, 1-3");
  EXPECT_EQ(engine::pairs_without_link(gpus, {2, 0}), "");
  EXPECT_EQ(engine::pairs_without_link(gpus, {3, 3}), "");
  EXPECT_EQ(engine::pairs_without_link(gpus, {1}), "");
}

}  // namespace
}  // namespace mote::engine
