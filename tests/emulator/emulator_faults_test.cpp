#include <cub/device/device_radix_sort.cuh>
#include <thread>

#include "tests/emulator/emulator_test.h"

// Faults of devices, and several devices.
namespace emulator {
namespace {

using Faults = FreshDevice;

__global__ void nothing() {}

TEST_F(Faults, ASortReportsAPendingErrorAsItsOwn) {
  std::size_t bytes = 0;
  const auto size_of_sort = [&] {
    return cub::DeviceRadixSort::SortPairs(
        nullptr, bytes, static_cast<const int*>(nullptr), static_cast<int*>(nullptr),
        static_cast<const int*>(nullptr), static_cast<int*>(nullptr), 1);
  };
  EXPECT_EQ(start({1, 1025}, nothing), cudaErrorInvalidConfiguration);
  EXPECT_EQ(size_of_sort(), cudaErrorInvalidDevice);
  EXPECT_EQ(size_of_sort(), cudaSuccess);
}

TEST_F(Faults, ThereMayBeTwoDevicesWithMemoryAndContextsOfTheirOwn) {
  set_device_count(2);
  set_memory(1000);
  forget_contexts();
  void *first = nullptr, *second = nullptr;
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&first, 600), cudaSuccess);
  EXPECT_TRUE(has_context(1));
  EXPECT_FALSE(has_context(0));
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  EXPECT_EQ(start({1, 1, 0, false, 0, stream}, nothing), cudaSuccess);
  std::thread([&] {
    int device = -1;
    EXPECT_EQ(cudaGetDevice(&device), cudaSuccess);
    EXPECT_EQ(device, 0);
    EXPECT_FALSE(has_context(0));
    EXPECT_EQ(start({1, 1, 0, false, 0, stream}, nothing), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaMalloc(&second, 600), cudaSuccess);
    EXPECT_TRUE(has_context(0));
    EXPECT_EQ(cudaFree(first), cudaSuccess);  // although it is on the other device
    EXPECT_EQ(cudaFree(second), cudaSuccess);
  }).join();
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST_F(Faults, AFaultHappensAtTheCallThatATestChose) {
  void* memory = nullptr;
  fail_call(2, cudaErrorMemoryAllocation, false);
  EXPECT_EQ(cudaMalloc(&memory, 8), cudaSuccess);
  EXPECT_EQ(cudaFree(memory), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
}

TEST_F(Faults, AFaultOfAKernelStaysOnItsDevice) {
  set_device_count(2);
  void* memory = nullptr;
  std::size_t available = 0, total = 0;
  int count = 0;
  cudaDeviceProp p;
  fail_call(1, cudaErrorIllegalAddress, true);
  EXPECT_EQ(start({1, 1}, nothing), cudaErrorIllegalAddress);
  EXPECT_EQ(start({1, 1}, nothing), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaMalloc(&memory, 8), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaMemGetInfo(&available, &total), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(cudaGetDeviceProperties(&p, 0), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  EXPECT_EQ(start({1, 1}, nothing), cudaSuccess);
  reset();
  EXPECT_EQ(start({1, 1}, nothing), cudaSuccess);
}

TEST_F(Faults, LaunchesThatNeedSeveralBlocksAtOnceMayBeRefused) {
  int blocks = 0, clusters = -1, cooperative = 0;
  const Configuration configuration({8, 32, 0, false, 8});
  limit_launches(1, false);
  EXPECT_EQ(start({8, 256, 0, true}, nothing), cudaSuccess);
  EXPECT_EQ(start({9, 256, 0, true}, nothing), cudaErrorCooperativeLaunchTooLarge);
  EXPECT_EQ(start({8, 32, 0, false, 8}, nothing), cudaErrorLaunchOutOfResources);
  EXPECT_EQ(start({8, 32}, nothing), cudaSuccess);
  ASSERT_EQ(cudaOccupancyMaxActiveClusters(&clusters, nothing, &configuration), cudaSuccess);
  EXPECT_EQ(clusters, 0);
  ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 32, 0), cudaSuccess);
  EXPECT_GT(blocks, 0);  // attributes still promise them
  ASSERT_EQ(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, 0), cudaSuccess);
  EXPECT_EQ(cooperative, 1);
}

}  // namespace
}  // namespace emulator
