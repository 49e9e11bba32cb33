#include "engine/memory/block_pool.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <new>
#include <set>
#include <thread>
#include <vector>

namespace mote::test {
namespace {

using engine::BlockPool;

/// Host memory that records allocations and releases.
struct PoolSource {
  std::vector<std::size_t> allocated;
  std::vector<void*> released, all;
  ~PoolSource() {
    for (void* p : all) std::free(p);
  }
  BlockPool pool() {
    return {[this](std::size_t bytes) {
              if (bytes > (std::size_t{1} << 40)) throw std::bad_alloc();
              allocated.push_back(bytes);
              const std::size_t steps = (bytes + BlockPool::smallest - 1) / BlockPool::smallest;
              all.push_back(std::aligned_alloc(BlockPool::smallest, steps * BlockPool::smallest));
              return all.back();
            },
            [this](void* p) { released.push_back(p); }};
  }
};

TEST(BlockPool, BlocksAreAlignedAndDoNotOverlap) {
  PoolSource source;
  BlockPool pool = source.pool();
  std::vector<std::pair<std::uintptr_t, std::size_t>> blocks;
  for (int round = 0; round < 40; ++round)
    for (std::size_t bytes : {1, 255, 256, 257, 5000, 70000, 262144}) {
      const auto at = reinterpret_cast<std::uintptr_t>(pool.allocate(bytes));
      EXPECT_EQ(at % BlockPool::smallest, 0u);
      for (const auto& [other, size] : blocks)
        EXPECT_TRUE(at + bytes <= other || other + size <= at);
      blocks.emplace_back(at, bytes);
    }
  for (const std::size_t bytes : source.allocated) EXPECT_EQ(bytes, BlockPool::chunk);
  // These seven sizes are rounded up to at most 1.5 times their sum, and at most one block of the
  // largest class per chunk is wasted.
  EXPECT_LE(source.allocated.size(), 5u);
  EXPECT_EQ(pool.bytes(), source.allocated.size() * BlockPool::chunk);
}

TEST(BlockPool, ReusesFreedBlocks) {
  PoolSource source;
  BlockPool pool = source.pool();
  std::set<void*> first;
  for (int k = 0; k < 100; ++k) first.insert(pool.allocate(100'000));
  const std::size_t chunks = source.allocated.size();
  for (int round = 0; round < 50; ++round) {
    for (void* p : first) {
      EXPECT_TRUE(pool.owns(p));
      pool.free(p);
      EXPECT_FALSE(pool.owns(p));
    }
    std::set<void*> again;
    for (int k = 0; k < 100; ++k) again.insert(pool.allocate(131'072));
    EXPECT_EQ(again, first);
  }
  EXPECT_EQ(source.allocated.size(), chunks);
  EXPECT_TRUE(source.released.empty());
}

TEST(BlockPool, DoesNotPoolLargeBlocks) {
  PoolSource source;
  BlockPool pool = source.pool();
  void* const large = pool.allocate(BlockPool::largest + 1);
  EXPECT_EQ(source.allocated, std::vector<std::size_t>{BlockPool::largest + 1});
  EXPECT_FALSE(pool.owns(large));
  pool.free(large);
  EXPECT_EQ(source.released, std::vector<void*>{large});
  pool.free(nullptr);
  EXPECT_EQ(source.released.size(), 1u);
  EXPECT_THROW(pool.allocate(std::size_t{1} << 41), std::bad_alloc);
}

TEST(BlockPool, ServesManyThreadsAtOnce) {
  PoolSource source;
  BlockPool pool = source.pool();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int round = 0; round < 200; ++round) {
        std::vector<unsigned char*> mine;
        for (int k = 0; k < 10; ++k) {
          mine.push_back(static_cast<unsigned char*>(pool.allocate(1000)));
          std::fill_n(mine.back(), 1000, static_cast<unsigned char>(t));
        }
        for (unsigned char* p : mine) {
          for (int i = 0; i < 1000; i += 333) EXPECT_EQ(p[i], t);
          pool.free(p);
        }
      }
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace mote::test
