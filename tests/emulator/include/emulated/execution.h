#pragma once

#include <emulated/vector_types.h>

#include <cstddef>
#include <cstdint>

/// What the emulated device does for a kernel's thread. The CUDA names are made from this; kernels
/// themselves use only shared_memory().
namespace emulator {

/// Where the running thread is; the rest is in threadIdx and its kin.
struct Place {
  uint3 thread{};
  uint3 block{};
  void* shared = nullptr;
  std::size_t shared_bytes = 0;
  unsigned rank = 0;  // in the block
  unsigned lane = 0;
  unsigned rank_in_cluster = 0;  // of the block
  unsigned cluster_size = 1;     // in blocks
  bool cooperative = false;
};
extern Place* here;

/// The block's dynamic shared memory, as `extern __shared__` names it in CUDA; null when the launch
/// asked for none.
inline void* shared_memory() {
  return here->shared;
}

/// Where threads meet. Threads that meet must name the same operation.
enum class Operation : unsigned char {
  none,
  shuffle,
  shuffle_up,
  shuffle_down,
  shuffle_xor,
  sync_warp,
  ballot,
  any,
  all,
  match_any,
  reduce_add,
  reduce_min,
  reduce_max,
  reduce_and,
  reduce_or,
  reduce_xor,
  sync_block,
  sync_block_or,
  sync_block_and,
  sync_block_count,
  sync_cluster,
  sync_grid,
};

std::uint64_t shuffle(Operation operation, unsigned mask, std::uint64_t value, unsigned source);
/// The lanes that said yes.
unsigned vote(Operation operation, unsigned mask, bool yes);
/// The lanes with the same value.
unsigned match_any(unsigned mask, std::uint64_t value);
unsigned reduce(Operation operation, unsigned mask, unsigned value);
void sync_warp(unsigned mask);
unsigned active_lanes();

struct Tally {
  int yes, threads;
};
Tally sync_block(Operation operation, bool yes);
void sync_grid();
void cluster_arrive();
void cluster_wait();
/// The same place in the shared memory of another block of the cluster.
void* in_shared_memory_of(const void* address, unsigned rank);

/// Lets other threads run. Operations that a waiting loop is made of call `poll`, which yields now
/// and then.
void yield();
void poll();

void copy_later(void* to, const void* from, std::size_t bytes, std::size_t zeros);
void close_copies();
void wait_for_copies(std::size_t open_groups);

/// One line to the error output, and abort.
[[noreturn]] void fail(const char* format, ...) __attribute__((format(printf, 1, 2)));

}  // namespace emulator
