#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include "tests/emulator/emulator_test.h"

/// Errors in kernels that the emulator must detect: it aborts with a one-line message.
namespace emulator {
namespace {

using MistakesDeathTest = FreshDevice;
namespace cg = cooperative_groups;

__global__ void shuffle_with_exited_lane(int* out) {
  if (threadIdx.x == 5) return;
  out[threadIdx.x] = __shfl_xor_sync(0xffffffff, 1, 1);
}

TEST_F(MistakesDeathTest, AShuffleWithALaneThatHasExited) {
  const OnDevice<int> out(32);
  EXPECT_DEATH(start({1, 32}, shuffle_with_exited_lane, out),
               "block \\(0,0,0\\) thread \\(.,0,0\\) waits at __shfl_xor_sync with mask 0xffffffff "
               "for lane 5");
}

__global__ void shuffle_beside_a_barrier(int* out) {
  if (threadIdx.x == 5) __syncthreads();
  out[threadIdx.x] = __shfl_sync(0xffffffff, 1, 1);
}

TEST_F(MistakesDeathTest, AShuffleForALaneThatWaitsElsewhere) {
  const OnDevice<int> out(32);
  EXPECT_DEATH(start({1, 32}, shuffle_beside_a_barrier, out),
               "deadlock: block \\(0,0,0\\) thread \\(0,0,0\\) waits at __shfl_sync with mask "
               "0xffffffff for "
               "block \\(0,0,0\\) thread \\(5,0,0\\), which waits at __syncthreads");
}

__global__ void name_others_only() {
  __syncwarp(threadIdx.x == 0 ? 2U : ~0U);
}

TEST_F(MistakesDeathTest, AMaskWithoutTheLaneItself) {
  EXPECT_DEATH(start({1, 32}, name_others_only), "does not include its own lane 0");
}

__global__ void mix_barriers() {
  if (threadIdx.x < 32) {
    __syncthreads();
  } else {
    __syncthreads_or(1);
  }
}

TEST_F(MistakesDeathTest, DifferentBarriersOfABlockAtOnce) {
  EXPECT_DEATH(start({1, 64}, mix_barriers), "__syncthreads");
}

__global__ void sync_grid_once(bool all) {
  if (all || blockIdx.x != 1) cg::this_grid().sync();
}

TEST_F(MistakesDeathTest, AGridBarrierWithoutACooperativeLaunch) {
  EXPECT_DEATH(start({2, 32}, sync_grid_once, true),
               "grid.sync\\(\\) in a launch that is not cooperative");
}

TEST_F(MistakesDeathTest, AGridBarrierThatABlockLeavesOut) {
  EXPECT_DEATH(
      start({2, 32, 0, true}, sync_grid_once, false),
      "waits at grid.sync\\(\\) for block \\(1,0,0\\) thread \\(0,0,0\\), which has exited");
}

__global__ void spin_forever(int* flag) {
  while (__ldcg(flag) == 0) __nanosleep(10);
}

TEST_F(MistakesDeathTest, ALoopWhoseConditionNoThreadChanges) {
  const OnDevice<int> flag(1);
  EXPECT_DEATH(start({1, 1}, spin_forever, flag),
               "threads spin on a condition that no other thread changes");
}

__global__ void copy_badly(const int* in) {
  __pipeline_memcpy_async(shared_memory(), in + 1, 8);
}

TEST_F(MistakesDeathTest, AnAsynchronousCopyThatIsNotAligned) {
  const OnDevice<int> in(4);
  EXPECT_DEATH(start({1, 1, 16}, copy_badly, in), "__pipeline_memcpy_async of 8 bytes");
}

__global__ void map_beyond() {
  cg::this_cluster().map_shared_rank(static_cast<int*>(shared_memory()), 2);
}

TEST_F(MistakesDeathTest, ABlockThatTheClusterDoesNotHave) {
  EXPECT_DEATH(start({2, 1, 16, false, 2}, map_beyond),
               "map_shared_rank to block 2 of a cluster of 2");
}

__global__ void map_ended_block() {
  if (cg::this_cluster().block_rank() == 0) return;
  __nanosleep(1);
  cg::this_cluster().map_shared_rank(static_cast<int*>(shared_memory()), 0);
}

TEST_F(MistakesDeathTest, SharedMemoryOfABlockThatHasEnded) {
  EXPECT_DEATH(start({2, 1, 16, false, 2}, map_ended_block),
               "block 0 of the cluster, which has ended");
}

__global__ void throw_something() {
  throw 1;
}

TEST_F(MistakesDeathTest, AnExceptionInAKernel) {
  EXPECT_DEATH(start({1, 1}, throw_something), "an exception in a kernel");
}

#if defined(__SANITIZE_ADDRESS__)
__global__ void write_beyond(int* out) {
  int* shared = static_cast<int*>(shared_memory());
  shared[threadIdx.x] = 1;
  out[threadIdx.x] = shared[threadIdx.x];
}

TEST_F(MistakesDeathTest, SharedMemoryBeyondItsEndUnderTheSanitizer) {
  const OnDevice<int> out(32);
  EXPECT_DEATH(start({1, 32, 31 * 4}, write_beyond, out), "heap-buffer-overflow");
}

TEST_F(MistakesDeathTest, DeviceMemoryBeyondItsEndUnderTheSanitizer) {
  const OnDevice<int> out(31);
  EXPECT_DEATH(start({1, 32, 32 * 4}, write_beyond, out), "heap-buffer-overflow");
}
#endif

}  // namespace
}  // namespace emulator
