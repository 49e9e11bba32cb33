#include "engine/memory/device_memory.h"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <set>
#include <thread>
#include <vector>

#include "engine/check.h"
#include "engine/exec/graph.h"
#include "engine/exec/stream.h"
#include "engine/memory/block_pool.h"
#include "engine/memory/buffer.h"
#include "engine/memory/copy_segments.h"
#include "tests/emulator/emulator.h"

namespace mote::engine {
namespace {

/// With and without pools of small blocks.
class DeviceMemory : public testing::TestWithParam<const char*> {
 protected:
  DeviceMemory() {
    emulator::reset();
    setenv("MOTE_MEMORY_POOL", GetParam(), 1);
  }
  ~DeviceMemory() override {
    unsetenv("MOTE_MEMORY_POOL");
    emulator::reset();
  }
  static bool pooled() { return GetParam() == std::string("on"); }
};
INSTANTIATE_TEST_SUITE_P(Pools, DeviceMemory, testing::Values("on", "off"),
                         [](const auto& pool) { return std::string(pool.param); });

/// Allocates and frees on its own stream, like a simulation that is opened, measured and closed.
void allocate_and_free(int device) {
  const Stream stream(device);
  for (const Index bytes : {8, 4000, 200'000, 2'000'000}) {
    const Buffer<unsigned char, Device> on_device(bytes);
    const Buffer<unsigned char, Pinned> pinned(bytes);
  }
}

TEST_P(DeviceMemory, IsFreedBesideRecordingsOfOtherThreads) {
  const std::size_t waits = emulator::device_waits(0);
  const Stream stream(0);
  Buffer<int, Device> value(1);
  int recorded = 0;
  const Graph graph(stream.policy(), [&] {
    ++recorded;
    fill_bytes(value.data(), 1, sizeof(int), stream.policy().stream);
    std::thread([] { allocate_and_free(0); }).join();
  });
  EXPECT_EQ(recorded, 1);
  EXPECT_EQ(emulator::device_waits(0), waits);
}

// If the wait for the stream fails, its work may still write to the block.
TEST_P(DeviceMemory, IsNeverReusedIfItsStreamCannotBeWaitedFor) {
  const Stream stream(0);
  void* const lost = Memory<Device>::allocate(512);
  emulator::fail_call(1, cudaErrorUnknown, false);
  Memory<Device>::free(lost);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);  // other libraries would take it for theirs
  std::set<void*> others;
  for (int k = 0; k < 50; ++k) others.insert(Memory<Device>::allocate(512));
  EXPECT_FALSE(others.contains(lost));
  for (void* p : others) Memory<Device>::free(p);
  if (!pooled()) return;
  EXPECT_TRUE(others.contains(Memory<Device>::allocate(512)));  // the last one freed
}

TEST_P(DeviceMemory, OutlivesItsStreamAndItsThread) {
  std::optional<Buffer<int, Device>> on_device;
  std::optional<Buffer<int, Pinned>> pinned;
  std::thread([&] {
    const Stream stream(0);
    on_device.emplace(100), pinned.emplace(100);
  }).join();
  const std::size_t waits = emulator::device_waits(0);
  const Stream stream(0);
  fill_bytes(on_device->data(), 0, on_device->bytes(), stream.policy().stream);
  on_device.reset(), pinned.reset();
  EXPECT_EQ(emulator::device_waits(0), waits);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
}

TEST_P(DeviceMemory, OfASecondDeviceIsFreedThereInAnyThread) {
  emulator::set_device_count(2);
  const std::size_t waits = emulator::device_waits(0) + emulator::device_waits(1);
  std::optional<Stream> stream;
  std::optional<Buffer<int, Device>> small, large;
  std::optional<Buffer<int, Pinned>> pinned;
  std::thread([&] {
    emulator::forget_contexts();
    stream.emplace(1);
    small.emplace(100), large.emplace(1'000'000), pinned.emplace(100);
  }).join();
  std::thread([&] {
    small.reset(), large.reset(), pinned.reset(), stream.reset();
    EXPECT_FALSE(emulator::has_context(0));
    EXPECT_EQ(emulator::device_waits(0) + emulator::device_waits(1), waits);
  }).join();
  EXPECT_TRUE(emulator::has_context(1));
}

TEST(Graphs, AreRecordedAgainWhereAnotherLibraryWaitsForTheDevice) {
  emulator::reset();
  const Stream stream(0);
  const Buffer<int, Device> value(1);
  Buffer<int, Device> sum(1);
  int recorded = 0;
  Graph graph(stream.policy(), [&] {
    if (++recorded < 3) std::thread([] { cudaDeviceSynchronize(); }).join();
    fill_bytes(sum.data(), recorded, sizeof(int), stream.policy().stream);
  });
  EXPECT_EQ(recorded, 3);
  graph.run(stream.policy());
  int value_now = 0;
  copy_to_host(&value_now, sum.data(), 1, stream.policy().stream);
  wait(stream.policy());
  EXPECT_EQ(value_now, 0x03030303);
  // An error of the work itself is not retried.
  EXPECT_THROW(Graph(stream.policy(), [&] { wait(stream.policy()); }), SystemError);
  EXPECT_NO_THROW(wait(stream.policy()));
}

// 200 segments are more than one launch takes. Addresses are congruent modulo 16 in every fourth
// segment, so that words are copied alone and by four, with and without words before and after.
TEST(CopySegments, CopyAllOfThemAndNothingElse) {
  constexpr Index segments = 200, room = 512;
  const Stream stream(0);
  const Cuda exec = stream.policy();
  std::vector<std::uint32_t> from(segments * room), expected(segments * room, 7);
  std::iota(from.begin(), from.end(), 100u);
  Buffer<std::uint32_t, Device> source(segments * room), target(segments * room);
  copy_to_device(source.data(), from.data(), source.size(), exec.stream);
  copy_to_device(target.data(), expected.data(), target.size(), exec.stream);
  std::vector<Segment> all;
  for (Index k = 0; k < segments; ++k) {
    const Index read = k * room + k % 5, written = k * room + k % 4, words = 1 + 37 * k % 480;
    all.push_back({target.data() + written, source.data() + read,
                   static_cast<std::size_t>(words) * sizeof(std::uint32_t)});
    std::copy_n(from.begin() + read, words, expected.begin() + written);
  }
  copy_segments(exec, all);
  std::vector<std::uint32_t> found(expected.size());
  copy_to_host(found.data(), target.data(), target.size(), exec.stream);
  wait(exec);
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace mote::engine
