#include "tests/emulator/emulator_test.h"

#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include <algorithm>
#include <numeric>

namespace emulator {
namespace {

namespace cg = cooperative_groups;

INSTANTIATE_TEST_SUITE_P(Emulator, InEveryOrder,
                         testing::Values(Order::forward, Order::backward, Order::shuffled),
                         name_of_order);

unsigned global_rank() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

std::vector<int> counted(std::size_t count) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

template <bool has_barrier>
__global__ void __launch_bounds__(256) reverse_blocks(int* values) {
  int* shared = static_cast<int*>(shared_memory());
  shared[threadIdx.x] = values[global_rank()];
  if (has_barrier) __syncthreads();
  const int other = shared[blockDim.x - 1 - threadIdx.x];
  values[global_rank()] = other;
}

std::vector<int> reversed_blocks(std::size_t blocks, std::size_t size) {
  std::vector<int> expected = counted(blocks * size);
  for (std::size_t b = 0; b < blocks; ++b)
    std::reverse(expected.begin() + static_cast<long>(b * size),
                 expected.begin() + static_cast<long>((b + 1) * size));
  return expected;
}

TEST_P(InEveryOrder, ABlockReversesItsValuesThroughSharedMemory) {
  const OnDevice<int> values(counted(3 * 200));
  ASSERT_EQ(start({3, 200, 800}, reverse_blocks<true>, values), cudaSuccess);
  EXPECT_EQ(values.values(), reversed_blocks(3, 200));
}

TEST_F(FreshDevice, SomeOrderExposesAMissingBarrier) {
  int wrong = 0;
  for (const Order order : {Order::forward, Order::backward, Order::shuffled}) {
    set_order(order);
    const OnDevice<int> values(counted(128));
    ASSERT_EQ(start({1, 128, 512}, reverse_blocks<false>, values), cudaSuccess);
    wrong += values.values() != reversed_blocks(1, 128) ? 1 : 0;
  }
  EXPECT_GT(wrong, 0);
}

__global__ void append_block(int* next, int* sequence) {
  if (threadIdx.x == 0) sequence[atomicAdd(next, 1)] = static_cast<int>(blockIdx.x);
}

std::vector<int> sequence_of_blocks(Order order, std::uint64_t seed) {
  set_order(order, seed);
  const OnDevice<int> next(1), sequence(16);
  EXPECT_EQ(start({16, 32}, append_block, next, sequence), cudaSuccess);
  return sequence.values();
}

TEST_F(FreshDevice, BlocksRunInTheOrderThatWasChosen) {
  std::vector<int> backward = counted(16);
  std::reverse(backward.begin(), backward.end());
  EXPECT_EQ(sequence_of_blocks(Order::forward, 1), counted(16));
  EXPECT_EQ(sequence_of_blocks(Order::backward, 1), backward);
  const std::vector<int> shuffled = sequence_of_blocks(Order::shuffled, 1);
  EXPECT_TRUE(std::is_permutation(shuffled.begin(), shuffled.end(), backward.begin()));
  EXPECT_NE(shuffled, counted(16));
  EXPECT_NE(shuffled, sequence_of_blocks(Order::shuffled, 2));
  EXPECT_EQ(shuffled, sequence_of_blocks(Order::shuffled, 1));
}

template <class T>
__global__ void shuffle_all(T* out) {
  const unsigned full = 0xffffffff, lane = threadIdx.x;
  const T value = static_cast<T>(lane + 100);
  T* mine = out + lane * 8;
  mine[0] = __shfl_sync(full, value, 5);
  mine[1] = __shfl_sync(full, value, 3, 8);
  mine[2] = __shfl_up_sync(full, value, 2);
  mine[3] = __shfl_up_sync(full, value, 1, 16);
  mine[4] = __shfl_down_sync(full, value, 3);
  mine[5] = __shfl_down_sync(full, value, 1, 4);
  mine[6] = __shfl_xor_sync(full, value, 16);
  mine[7] = __shfl_xor_sync(full, value, 1, 2);
}

template <class T>
void expect_shuffles() {
  const OnDevice<T> out(32 * 8);
  ASSERT_EQ(start({1, 32}, shuffle_all<T>, out), cudaSuccess);
  const std::vector<T> values = out.values();
  for (unsigned lane = 0; lane < 32; ++lane) {
    const unsigned from[8] = {5,
                              lane / 8 * 8 + 3,
                              lane < 2 ? lane : lane - 2,
                              lane % 16 == 0 ? lane : lane - 1,
                              lane > 28 ? lane : lane + 3,
                              lane % 4 == 3 ? lane : lane + 1,
                              lane ^ 16,
                              lane ^ 1};
    for (unsigned i = 0; i < 8; ++i)
      EXPECT_EQ(values[lane * 8 + i], static_cast<T>(from[i] + 100)) << lane << " " << i;
  }
}

TEST_P(InEveryOrder, ShufflesMoveEveryTypeOfValueBetweenLanes) {
  expect_shuffles<int>();
  expect_shuffles<unsigned>();
  expect_shuffles<long long>();
  expect_shuffles<unsigned long long>();
  expect_shuffles<float>();
  expect_shuffles<double>();
}

/// Halves of a warp on different paths: each half has its own collective operations.
__global__ void sum_in_halves(int* out) {
  const bool upper = threadIdx.x >= 16;
  const unsigned mask = upper ? 0xffff0000 : 0x0000ffff;
  int sum = static_cast<int>(threadIdx.x);
  if (upper) {
    for (int step = 8; step > 0; step /= 2) sum += __shfl_xor_sync(mask, sum, step);
  } else {
    for (int step = 1; step < 16; step *= 2) sum += __shfl_xor_sync(mask, sum, step);
  }
  __syncwarp();
  out[threadIdx.x] = sum;
}

TEST_P(InEveryOrder, LanesOnDifferentPathsAreMatchedByTheirMasks) {
  const OnDevice<int> out(32);
  ASSERT_EQ(start({1, 32}, sum_in_halves, out), cudaSuccess);
  for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(out.values()[lane], lane < 16 ? 120 : 376);
}

__global__ void vote_all(unsigned* out) {
  const unsigned full = 0xffffffff, lane = threadIdx.x;
  unsigned* mine = out + lane * 8;
  mine[7] = __activemask();  // first: later some lanes may have exited
  mine[0] = __ballot_sync(full, lane % 3 == 0);
  mine[1] = static_cast<unsigned>(__any_sync(full, lane == 7) + 2 * __any_sync(full, 0));
  mine[2] = static_cast<unsigned>(__all_sync(full, lane < 32) + 2 * __all_sync(full, lane != 7));
  mine[3] = __match_any_sync(full, lane / 4);
  mine[4] = __reduce_add_sync(full, lane);
  mine[5] = __reduce_min_sync(full, lane + 3);
  mine[6] = __reduce_max_sync(full, lane + 3);
}

TEST_P(InEveryOrder, VotesAndReductionsCountEveryLaneOnce) {
  const OnDevice<unsigned> out(32 * 8);
  ASSERT_EQ(start({1, 32}, vote_all, out), cudaSuccess);
  for (unsigned lane = 0; lane < 32; ++lane) {
    const std::vector<unsigned> all = out.values();
    const std::vector<unsigned> mine(all.begin() + lane * 8, all.begin() + lane * 8 + 8);
    EXPECT_EQ(mine, (std::vector<unsigned>{0x49249249, 1, 1, 0xfU << lane / 4 * 4, 496, 3, 34,
                                           0xffffffff}));
  }
}

__global__ void vote_of_a_block(int* out) {
  const int rank = static_cast<int>(threadIdx.x);
  // Exited threads count as arrived.
  if (rank >= 90) return;
  const int some = __syncthreads_or(rank == 50), none = __syncthreads_or(0);
  const int every = __syncthreads_and(rank < 90), not_every = __syncthreads_and(rank != 50);
  out[rank] =
      some + 10 * none + 100 * every + 1000 * not_every + 10000 * __syncthreads_count(rank % 2);
}

TEST_P(InEveryOrder, ABarrierOfABlockVotesAmongThreadsThatHaveNotEnded) {
  const OnDevice<int> out(90);
  ASSERT_EQ(start({1, 100}, vote_of_a_block, out), cudaSuccess);
  EXPECT_EQ(out.values(), std::vector<int>(90, 450101));
}

__global__ void change_atomically_all(int* counter, unsigned long long* bits, double* sum,
                                      unsigned* extremes) {
  const unsigned rank = global_rank();
  atomicAdd(counter, 1);
  atomicOr(bits, 1ULL << (rank % 64));
  atomicAdd(sum, 0.5);
  atomicMin(&extremes[0], rank + 1);
  atomicMax(&extremes[1], rank + 1);
  if (rank == 3) atomicExch(&extremes[2], 17U);
  unsigned old = extremes[3], seen;
  do {
    seen = old;
    old = atomicCAS(&extremes[3], seen, seen + 2);
  } while (old != seen);
}

TEST_P(InEveryOrder, AtomicsLoseNothing) {
  const OnDevice<int> counter(1);
  const OnDevice<unsigned long long> bits(1);
  const OnDevice<double> sum(1);
  const OnDevice<unsigned> extremes(std::vector<unsigned>{1000000, 0, 0, 0});
  ASSERT_EQ(start({7, 96}, change_atomically_all, counter, bits, sum, extremes), cudaSuccess);
  EXPECT_EQ(counter.values()[0], 672);
  EXPECT_EQ(bits.values()[0], ~0ULL);
  EXPECT_EQ(sum.values()[0], 336.0);
  EXPECT_EQ(extremes.values(), (std::vector<unsigned>{1, 672, 17, 1344}));
}

/// In each round every block reads what the next block wrote in the previous round.
__global__ void pass_around(int* rounds, int count) {
  const cg::grid_group grid = cg::this_grid();
  const auto blocks = static_cast<unsigned>(grid.num_blocks());
  for (int i = 1; i <= count; ++i) {
    const int* before = rounds + static_cast<unsigned>(i - 1) * blocks;
    if (threadIdx.x == 0)
      rounds[static_cast<unsigned>(i) * blocks + blockIdx.x] =
          before[(blockIdx.x + 1) % blocks] + 1;
    grid.sync();
  }
}

TEST_P(InEveryOrder, AGridBarrierSynchronisesAllBlocks) {
  const OnDevice<int> rounds(31 * 30);
  ASSERT_EQ(start({30, 64, 0, true}, pass_around, rounds, 30), cudaSuccess);
  const std::vector<int> values = rounds.values();
  EXPECT_EQ(std::vector<int>(values.end() - 30, values.end()), std::vector<int>(30, 30));
}

/// A hand-written barrier between blocks: the spinning thread must let others run.
__global__ void barrier_by_counter(unsigned* counter, int* out) {
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(counter, 1);
    while (__ldcg(counter) < gridDim.x) {
    }
  }
  __syncthreads();
  out[global_rank()] = static_cast<int>(*counter);
}

TEST_P(InEveryOrder, ALoopThatWaitsForAnotherBlockLetsItRun) {
  const OnDevice<unsigned> counter(1);
  const OnDevice<int> out(8 * 32);
  ASSERT_EQ(start({8, 32, 0, true}, barrier_by_counter, counter, out), cudaSuccess);
  EXPECT_EQ(out.values(), std::vector<int>(8 * 32, 8));
}

__global__ void read_next_block(int* out) {
  const cg::cluster_group cluster = cg::this_cluster();
  int* shared = static_cast<int*>(shared_memory());
  shared[threadIdx.x] = static_cast<int>(global_rank());
  cluster.barrier_arrive();
  const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
  const int* other = cluster.map_shared_rank(shared, static_cast<int>(next));
  cluster.barrier_wait();
  out[global_rank()] = other[threadIdx.x];
  cluster.sync();  // no block exits while its memory is read
}

TEST_P(InEveryOrder, BlocksOfAClusterReadEachOthersSharedMemory) {
  const OnDevice<int> out(12 * 64);
  ASSERT_EQ(start({12, 64, 256, false, 4}, read_next_block, out), cudaSuccess);
  for (int i = 0; i < 12 * 64; ++i) {
    const int block = i / 64;
    EXPECT_EQ(out.values()[static_cast<std::size_t>(i)],
              (block / 4 * 4 + (block + 1) % 4) * 64 + i % 64);
  }
}

__global__ void sum_in_tiles(int* out) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int sum = static_cast<int>(tile.thread_rank());
  for (unsigned step = tile.size() / 2; step > 0; step /= 2) sum += tile.shfl_down(sum, step);
  sum = tile.shfl(sum, 0);
  const bool first = tile.meta_group_rank() == 0;
  out[threadIdx.x] = sum + (tile.ballot(tile.thread_rank() == 2) == 4 ? 100 : 0) +
                     (tile.any(first) ? 1000 : 0) +
                     (tile.all(tile.meta_group_size() == 8) ? 10000 : 0);
}

TEST_P(InEveryOrder, TilesOfAWarpWorkIndependently) {
  const OnDevice<int> out(64);
  ASSERT_EQ(start({1, 64}, sum_in_tiles, out), cudaSuccess);
  for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(out.values()[i], i < 8 ? 11128 : 10128);
}

__global__ void copy_in_two_groups(const int* in, int* out) {
  int* shared = static_cast<int*>(shared_memory());
  shared[0] = shared[1] = -1;
  __pipeline_memcpy_async(&shared[0], &in[0], 4);
  __pipeline_commit();
  __pipeline_memcpy_async(&shared[1], &in[1], 4);
  __pipeline_commit();
  out[0] = shared[0];
  __pipeline_wait_prior(1);
  out[1] = shared[0];
  out[2] = shared[1];
  __pipeline_wait_prior(0);
  out[3] = shared[1];
}

TEST_F(FreshDevice, AnAsynchronousCopyArrivesOnlyAtItsWait) {
  const OnDevice<int> in(std::vector<int>{41, 42}), out(4);
  ASSERT_EQ(start({1, 1, 8}, copy_in_two_groups, in, out), cudaSuccess);
  const int lost = static_cast<int>(0xcdcdcdcd);
  EXPECT_EQ(out.values(), (std::vector<int>{lost, 41, lost, 42}));
}

__global__ void read_fresh_memory(unsigned* out) {
  out[blockIdx.x] = *static_cast<unsigned*>(shared_memory());
  *static_cast<unsigned*>(shared_memory()) = 1;
}

TEST_F(FreshDevice, SharedMemoryStartsAsGarbageInEveryBlock) {
  const OnDevice<unsigned> out(3);
  ASSERT_EQ(start({3, 1, 4}, read_fresh_memory, out), cudaSuccess);
  EXPECT_EQ(out.values(), std::vector<unsigned>(3, 0xcdcdcdcd));
}

__global__ void count_threads(unsigned* out) {
  const dim3 b = blockDim, g = gridDim;
  const unsigned block = blockIdx.x + g.x * (blockIdx.y + g.y * blockIdx.z);
  const unsigned thread = threadIdx.x + b.x * (threadIdx.y + b.y * threadIdx.z);
  __syncthreads();
  // The built-in variables are still this thread's after others have run.
  const bool same = thread == threadIdx.x + b.x * (threadIdx.y + b.y * threadIdx.z);
  if (same) out[block * b.x * b.y * b.z + thread] += 1 + cg::this_thread_block().thread_rank();
}

TEST_P(InEveryOrder, EveryThreadOfThreeDimensionsRunsOnce) {
  const OnDevice<unsigned> out(24 * 30);
  ASSERT_EQ(start({dim3(2, 3, 4), dim3(5, 3, 2)}, count_threads, out), cudaSuccess);
  for (unsigned i = 0; i < 24 * 30; ++i) EXPECT_EQ(out.values()[i], 1 + i % 30);
}

}  // namespace
}  // namespace emulator
