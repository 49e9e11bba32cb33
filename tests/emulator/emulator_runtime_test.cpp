#include <array>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <thread>

#include "tests/emulator/emulator_test.h"

namespace emulator {
namespace {

using Runtime = FreshDevice;

__global__ void empty_kernel() {}

__global__ void add(int* value, int what) {
  if (threadIdx.x == 0) *value += what;
}

TEST_F(Runtime, TheDeviceSaysThatItIsEmulated) {
  cudaDeviceProp p;
  ASSERT_EQ(cudaGetDeviceProperties(&p, 0), cudaSuccess);
  EXPECT_STREQ(p.name, "emulated device (host threads, for tests)");
  EXPECT_EQ(p.multiProcessorCount, 8);
  EXPECT_EQ(p.totalGlobalMem, std::size_t{4} << 30);
  int major = 0;
  ASSERT_EQ(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0), cudaSuccess);
  EXPECT_EQ(major, 9);
}

TEST_F(Runtime, BlocksThatAreTooLargeOrEmptyAreRefused) {
  EXPECT_EQ(start({1, 1025}, empty_kernel), cudaErrorInvalidConfiguration);
  EXPECT_EQ(start({1, dim3(64, 32)}, empty_kernel), cudaErrorInvalidConfiguration);
  EXPECT_EQ(start({1, 0}, empty_kernel), cudaErrorInvalidConfiguration);
  EXPECT_EQ(start({0, 1}, empty_kernel), cudaErrorInvalidConfiguration);
  EXPECT_EQ(start({1, 1024}, empty_kernel), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(Runtime, SharedMemoryAboveTheUsualMustBeAskedFor) {
  const auto kernel = &add;
  const OnDevice<int> value(1);
  EXPECT_EQ(start({1, 1, 48 << 10}, kernel, value, 1), cudaSuccess);
  EXPECT_EQ(start({1, 1, (48 << 10) + 1}, kernel, value, 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 228 << 10),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 << 10),
            cudaSuccess);
  EXPECT_EQ(start({1, 1, 227 << 10}, kernel, value, 1), cudaSuccess);
  EXPECT_EQ(value.values()[0], 2);
}

TEST_F(Runtime, ACooperativeLaunchMustFitOnTheDevice) {
  int blocks = 0;
  ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, empty_kernel, 256, 0),
            cudaSuccess);
  EXPECT_EQ(blocks, 8);
  EXPECT_EQ(start({64, 256, 0, true}, empty_kernel), cudaSuccess);
  EXPECT_EQ(start({65, 256, 0, true}, empty_kernel), cudaErrorCooperativeLaunchTooLarge);
  set_multiprocessor_count(9);
  EXPECT_EQ(start({65, 256, 0, true}, empty_kernel), cudaSuccess);
}

TEST_F(Runtime, SharedMemoryLimitsHowManyBlocksFit) {
  int blocks = 0;
  ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, empty_kernel, 64, 40 << 10),
            cudaSuccess);
  EXPECT_EQ(blocks, 5);
  ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, empty_kernel, 32, 0),
            cudaSuccess);
  EXPECT_EQ(blocks, 32);
}

TEST_F(Runtime, ClustersAreLimited) {
  EXPECT_EQ(start({16, 32, 0, false, 8}, empty_kernel), cudaSuccess);
  EXPECT_EQ(start({16, 32, 0, false, 16}, empty_kernel), cudaErrorInvalidClusterSize);
  EXPECT_EQ(start({17, 32, 0, false, 8}, empty_kernel), cudaErrorInvalidConfiguration);
  ASSERT_EQ(cudaFuncSetAttribute(empty_kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
            cudaSuccess);
  EXPECT_EQ(start({16, 32, 0, false, 16}, empty_kernel), cudaSuccess);
  int clusters = 0;
  const Configuration configuration({16, 32, 0, false, 4});
  ASSERT_EQ(cudaOccupancyMaxActiveClusters(&clusters, empty_kernel, &configuration), cudaSuccess);
  EXPECT_EQ(clusters, 4);
  ASSERT_EQ(cudaFuncSetAttribute(empty_kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 0),
            cudaSuccess);
}

TEST_F(Runtime, MemoryRunsOut) {
  set_memory(1000);
  void* first = nullptr;
  void* second = nullptr;
  std::size_t available = 0, total = 0;
  ASSERT_EQ(cudaMalloc(&first, 600), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&second, 600), cudaErrorMemoryAllocation);
  EXPECT_EQ(second, nullptr);
  ASSERT_EQ(cudaMemGetInfo(&available, &total), cudaSuccess);
  EXPECT_EQ(available, 400U);
  EXPECT_EQ(total, 1000U);
  EXPECT_EQ(cudaFree(first), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&second, 600), cudaSuccess);
  EXPECT_EQ(cudaFree(second), cudaSuccess);
  EXPECT_EQ(cudaFree(second), cudaErrorInvalidValue);
}

TEST_F(Runtime, ACopyInTheWrongDirectionOrTooLongIsRefused) {
  int host[4] = {1, 2, 3, 4};
  const OnDevice<int> device(4);
  int* data = device;
  EXPECT_EQ(cudaMemcpy(data, host, 16, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(data, host, 16, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(data + 1, host, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(data, 0, 17), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(data + 2, 0, 8), cudaSuccess);
  EXPECT_EQ(device.values(), (std::vector<int>{1, 2, 0, 0}));
}

TEST_F(Runtime, ThereMayBeNoDevice) {
  int count = 7;
  void* memory = nullptr;
  set_device_count(0);
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaErrorNoDevice);
  EXPECT_EQ(count, 0);
  EXPECT_EQ(cudaMalloc(&memory, 8), cudaErrorNoDevice);
  EXPECT_EQ(start({1, 1}, empty_kernel), cudaErrorNoDevice);
  EXPECT_STREQ(cudaGetErrorName(cudaErrorNoDevice), "cudaErrorNoDevice");
}

TEST_F(Runtime, DevicesCanBeHidden) {
  int count = 0;
  for (const char* hidden : {"", "-1"}) {
    setenv("CUDA_VISIBLE_DEVICES", hidden, 1);
    EXPECT_EQ(cudaGetDeviceCount(&count), cudaErrorNoDevice);
  }
  setenv("CUDA_VISIBLE_DEVICES", "0", 1);
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  unsetenv("CUDA_VISIBLE_DEVICES");
  EXPECT_EQ(cudaSetDevice(1), cudaErrorInvalidDevice);
}

TEST_F(Runtime, TheDriverMayBeTooOld) {
  int count = 0, version = 0;
  set_driver_version(12080);
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaErrorInsufficientDriver);
  EXPECT_EQ(cudaDriverGetVersion(&version), cudaSuccess);
  EXPECT_EQ(version, 12080);
}

struct Captured : Runtime {
  Captured() { EXPECT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess); }
  ~Captured() override { cudaStreamDestroy(stream); }

  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
};

TEST_F(Captured, WorkIsRecordedAndReplayed) {
  const OnDevice<int> value(1);
  int what = 5, copy = -1;
  std::size_t nodes = 0;
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), cudaSuccess);
  Shape shape;
  shape.stream = stream;
  EXPECT_EQ(start(shape, add, value, what), cudaSuccess);
  what = 1000;  // the argument was copied
  EXPECT_EQ(cudaMemcpyAsync(&copy, value, sizeof copy, cudaMemcpyDeviceToHost, stream),
            cudaSuccess);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  EXPECT_EQ(cudaStreamIsCapturing(stream, &status), cudaSuccess);
  EXPECT_EQ(status, cudaStreamCaptureStatusActive);
  EXPECT_EQ(value.values()[0], 0);
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  EXPECT_EQ(value.values()[0], 0);
  EXPECT_EQ(copy, -1);
  ASSERT_EQ(cudaGraphGetNodes(graph, nullptr, &nodes), cudaSuccess);
  EXPECT_EQ(nodes, 2U);
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  for (int i = 1; i <= 3; ++i) {
    ASSERT_EQ(cudaGraphLaunch(executable, stream), cudaSuccess);
    EXPECT_EQ(copy, 5 * i);
  }
  ASSERT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
}

TEST_F(Captured, WaitingInvalidatesIt) {
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(graph, nullptr);
}

TEST_F(Captured, AStreamThatWaitsForAnEventTakesPart) {
  const OnDevice<int> value(1);
  cudaStream_t other = nullptr;
  cudaEvent_t event = nullptr;
  std::size_t nodes = 0;
  ASSERT_EQ(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(event, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(other, event), cudaSuccess);
  Shape shape;
  shape.stream = other;
  ASSERT_EQ(start(shape, add, value, 1), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(event, other), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(stream, event), cudaSuccess);
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphGetNodes(graph, nullptr, &nodes), cudaSuccess);
  EXPECT_EQ(nodes, 1U);
  EXPECT_EQ(value.values()[0], 0);
  EXPECT_EQ(cudaStreamQuery(other), cudaSuccess);
  cudaGraphDestroy(graph);
  cudaEventDestroy(event);
  cudaStreamDestroy(other);
}

TEST_F(Runtime, PairsAreSortedByTheirKeysAndOtherwiseKeepTheirOrder) {
  const OnDevice<double> keys(std::vector<double>{3, -1, 0.0, -0.0, -7, 3}), sorted_keys(6);
  const OnDevice<int> values(std::vector<int>{0, 1, 2, 3, 4, 5}), sorted(6);
  std::size_t bytes = 0;
  const double* in = keys;
  double* out = sorted_keys;
  const auto sort = [&](void* scratch) {
    return cub::DeviceRadixSort::SortPairs(scratch, bytes, in, out, static_cast<const int*>(values),
                                           static_cast<int*>(sorted), 6);
  };
  ASSERT_EQ(sort(nullptr), cudaSuccess);
  const OnDevice<char> scratch(bytes);
  ASSERT_EQ(sort(static_cast<char*>(scratch)), cudaSuccess);
  EXPECT_EQ(sorted.values(), (std::vector<int>{4, 1, 2, 3, 0, 5}));
  EXPECT_EQ(sorted_keys.values(), (std::vector<double>{-7, -1, 0, 0, 3, 3}));
}

TEST_F(Runtime, NumbersAreReplacedByTheSumsOfThoseBefore) {
  const OnDevice<unsigned> numbers(std::vector<unsigned>{3, 0, 4, 1});
  std::size_t bytes = 0;
  unsigned* const all = numbers;
  ASSERT_EQ(cub::DeviceScan::ExclusiveSum(nullptr, bytes, all, all, 4), cudaSuccess);
  const OnDevice<char> scratch(bytes);
  ASSERT_EQ(cub::DeviceScan::ExclusiveSum(static_cast<char*>(scratch), bytes, all, all, 4),
            cudaSuccess);
  EXPECT_EQ(numbers.values(), (std::vector<unsigned>{0, 3, 3, 7}));
}

__global__ void add_around_a_block(const int* in, int* out) {
  int* shared = static_cast<int*>(shared_memory());
  for (int round = 0; round < 4; ++round) {
    shared[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x] + round;
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] += shared[(threadIdx.x + 1) % blockDim.x];
    __syncthreads();
  }
}

/// Runs kernels, copies and events on a private stream; true if all results are right.
bool works_on_own_stream(int seed) {
  constexpr int threads = 64, blocks = 3;
  std::vector<int> values(threads * blocks);
  for (int i = 0; i < threads * blocks; ++i) values[static_cast<std::size_t>(i)] = seed + i;
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  bool good = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess &&
              cudaEventCreateWithFlags(&event, cudaEventDisableTiming) == cudaSuccess;
  for (int k = 0; k < 40 && good; ++k) {
    const OnDevice<int> in(values), out(values.size());
    Shape shape{blocks, threads, threads * sizeof(int)};
    shape.stream = stream;
    good = start(shape, add_around_a_block, in, out) == cudaSuccess &&
           cudaEventRecord(event, stream) == cudaSuccess &&
           cudaStreamWaitEvent(stream, event) == cudaSuccess &&
           cudaStreamSynchronize(stream) == cudaSuccess;
    const std::vector<int> sums = out.values();
    for (int i = 0; i < threads * blocks; ++i) {
      const int neighbour = i / threads * threads + (i + 1) % threads;
      good = good && sums[static_cast<std::size_t>(i)] == 4 * (seed + neighbour) + 6;
    }
  }
  return good && cudaEventDestroy(event) == cudaSuccess && cudaStreamDestroy(stream) == cudaSuccess;
}

TEST_F(Runtime, SeveralHostThreadsUseTheDeviceAtOnce) {
  std::array<bool, 3> good{};
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < good.size(); ++i)
    threads.emplace_back([&good, i] { good[i] = works_on_own_stream(1000 * static_cast<int>(i)); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, (std::array<bool, 3>{true, true, true}));
}

TEST_F(Captured, AnotherHostThreadMayUseTheDeviceMeanwhile) {
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  ASSERT_EQ(start({1, 1, 0, false, 0, stream}, empty_kernel), cudaSuccess);
  std::thread([] { EXPECT_TRUE(works_on_own_stream(1)); }).join();
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  void* memory = nullptr;
  EXPECT_EQ(cudaMalloc(&memory, 1), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
}

TEST_F(Captured, AnotherHostThreadThatWaitsForTheDeviceInvalidatesIt) {
  set_device_count(2);
  for (const auto mode : {cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed}) {
    ASSERT_EQ(cudaStreamBeginCapture(stream, mode), cudaSuccess);
    std::thread([] {
      EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorStreamCaptureUnsupported);
      EXPECT_EQ(cudaGetLastError(), cudaErrorStreamCaptureUnsupported);
    }).join();
    EXPECT_EQ(start({1, 1, 0, false, 0, stream}, empty_kernel), cudaErrorStreamCaptureInvalidated);
    EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
    ASSERT_EQ(cudaStreamBeginCapture(stream, mode), cudaSuccess);
    std::thread([] {
      EXPECT_EQ(cudaSetDevice(1), cudaSuccess);
      EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    }).join();
    EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  }
}

TEST_F(Runtime, EventsMeasureTime) {
  cudaEvent_t start_event = nullptr, end_event = nullptr;
  float milliseconds = -1;
  ASSERT_EQ(cudaEventCreate(&start_event), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&end_event), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(start_event), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start_event, end_event),
            cudaErrorInvalidResourceHandle);
  ASSERT_EQ(start({4, 64}, empty_kernel), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(end_event), cudaSuccess);
  ASSERT_EQ(cudaEventSynchronize(end_event), cudaSuccess);
  ASSERT_EQ(cudaEventElapsedTime(&milliseconds, start_event, end_event), cudaSuccess);
  EXPECT_GT(milliseconds, 0.0F);
  EXPECT_EQ(cudaEventDestroy(start_event), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(end_event), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(end_event), cudaErrorInvalidResourceHandle);
}

}  // namespace
}  // namespace emulator
