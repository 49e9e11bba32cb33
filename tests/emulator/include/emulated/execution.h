#pragma once

#include <emulated/vector_types.h>

#include <cstddef>
#include <cstdint>

/// Device-side primitives on which the functions with CUDA's names are built. Kernels themselves
/// use only shared_memory().
namespace emulator {

/// Context of the running thread, in addition to threadIdx etc.
struct ThreadContext {
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
extern ThreadContext* current;

/// The block's dynamic shared memory (`extern __shared__` in CUDA); null if the launch requested
/// none.
inline void* shared_memory() {
  return current->shared;
}

/// Operations that synchronise threads. All threads of one must call the same operation.
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
/// Mask of the lanes whose predicate is true.
unsigned vote(Operation operation, unsigned mask, bool predicate);
/// Mask of the lanes with the same value.
unsigned match_any(unsigned mask, std::uint64_t value);
unsigned reduce(Operation operation, unsigned mask, unsigned value);
void sync_warp(unsigned mask);
unsigned active_lanes();

struct BlockVote {
  int true_count, threads;
};
BlockVote sync_block(Operation operation, bool predicate);
void sync_grid();
void cluster_arrive();
void cluster_wait();
/// The corresponding address in the shared memory of another block of the cluster.
void* remote_shared_memory(const void* address, unsigned rank);

/// Lets other threads run. Operations used in spin loops call `poll`, which yields once in a while.
void yield();
void poll();

void start_copy(void* to, const void* from, std::size_t bytes, std::size_t zeros);
void commit_copies();
void wait_for_copies(std::size_t pending_groups);

/// Prints one line to stderr and aborts.
[[noreturn]] void fail(const char* format, ...) __attribute__((format(printf, 1, 2)));

}  // namespace emulator
