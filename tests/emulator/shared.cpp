#include <cstdlib>
#include <cstring>

#include "tests/emulator/runtime.h"
#include "tests/emulator/scheduler.h"

/// Shared memory of blocks, and asynchronous copies into it.
namespace emulator {
namespace {

constexpr int dead = 0xdd;

#if defined(__SANITIZE_ADDRESS__)
// Memory of exactly the requested size, new for every block, so that the sanitizer detects accesses
// out of bounds or after the end of the block.
constexpr bool reuse = false;
#else
constexpr bool reuse = true;
#endif

void release(Block& block) {
  std::free(block.shared);
  block.shared = nullptr;
  block.shared_capacity = 0;
}

}  // namespace

void allocate_shared_memory(Block& block, std::size_t bytes) {
  if (bytes == 0) {
    release(block);
    return;
  }
  if (block.shared_capacity < bytes || !reuse) {
    release(block);
    void* memory = nullptr;
    if (posix_memalign(&memory, 128, bytes) != 0) fail("no memory for a block's shared memory");
    block.shared = static_cast<char*>(memory);
    block.shared_capacity = bytes;
  }
  std::memset(block.shared, uninitialised, bytes);
}

void release_shared_memory(Block& block, std::size_t bytes) {
  if (!reuse) {
    release(block);
  } else if (block.cluster->blocks > 1) {
    // Exposes an erroneous access by another block of the cluster.
    std::memset(block.shared, dead, bytes);
  }
}

void* remote_shared_memory(const void* address, unsigned rank) {
  const Thread& thread = self();
  const auto offset =
      reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(thread.shared);
  if (thread.shared == nullptr || offset >= thread.shared_bytes)
    fail("map_shared_rank of an address that is not in the block's shared memory");
  if (rank >= thread.cluster_size)
    fail("map_shared_rank to block %u of a cluster of %u", rank, thread.cluster_size);
  const Block& block = *scheduler.blocks[thread.warp->block->cluster->first_block + rank];
  if (block.live == 0) fail("map_shared_rank to block %u of the cluster, which has ended", rank);
  return block.shared + offset;
}

void start_copy(void* to, const void* from, std::size_t bytes, std::size_t zeros) {
  const auto odd =
      (reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from)) % bytes;
  if ((bytes != 4 && bytes != 8 && bytes != 16) || odd != 0 || zeros > bytes)
    fail(
        "__pipeline_memcpy_async of %zu bytes (%zu zero) from %p to %p: the size must be 4, 8 or "
        "16, and both addresses aligned to it",
        bytes, zeros, from, to);
  // The copy may arrive at any time from now on: the old contents are lost.
  std::memset(to, uninitialised, bytes);
  self().copies.push_back({to, from, bytes, zeros, self().groups});
}

void commit_copies() {
  ++self().groups;
}

void wait_for_copies(std::size_t pending_groups) {
  Thread& thread = self();
  const std::size_t end = thread.groups > pending_groups ? thread.groups - pending_groups : 0;
  std::size_t done = 0;
  for (; done < thread.copies.size() && thread.copies[done].group < end; ++done) {
    const Copy& copy = thread.copies[done];
    std::memcpy(copy.to, copy.from, copy.bytes - copy.zeros);
    std::memset(static_cast<char*>(copy.to) + (copy.bytes - copy.zeros), 0, copy.zeros);
  }
  thread.copies.erase(thread.copies.begin(),
                      thread.copies.begin() + static_cast<std::ptrdiff_t>(done));
}

}  // namespace emulator
