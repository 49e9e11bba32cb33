#pragma once

#include <emulated/execution.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "tests/emulator/emulator.h"
#include "tests/emulator/fiber.h"

/// Scheduler of the emulator: threads, warps, blocks and what they wait for.
namespace emulator {

struct Block;
struct Warp;

struct Copy {
  void* to;
  const void* from;
  std::size_t bytes, zeros, group;
};

struct Thread : ThreadContext {
  Warp* warp = nullptr;
  Operation waits_at = Operation::none;
  unsigned wait_mask = 0;  // of a warp operation
  bool has_arrived_at_cluster = false;
  std::uint64_t cluster_generation = 0;
  std::size_t groups = 0;
  std::vector<Copy> copies;
  std::optional<Fiber> fiber;

  unsigned bit() const { return 1U << lane; }
};

/// A collective operation of the lanes of a mask. In use until the last lane has read its result.
struct Collective {
  Operation operation;
  unsigned mask, arrived, unread, votes;
  std::array<std::uint64_t, 32> value;
};

enum Scope { in_block, in_cluster, in_grid };

/// Lane n is bit n of every mask.
struct Warp {
  unsigned index = 0;  // among all resident warps
  Block* block = nullptr;
  unsigned launched = 0, live = 0, ready = 0, yielded = 0;
  std::array<unsigned, 3> waiting{};  // at the barrier of a Scope
  unsigned open = 0, used = 0;        // collectives that wait for a lane; that are not free
  std::array<Thread, 32> threads;
  std::array<Collective, 32> collectives;
};

struct Barrier {
  unsigned arrived = 0;
  Operation operation = Operation::none;
  std::uint64_t generation = 0;
  // By parity of the generation: a thread may arrive at the next one before another has read the
  // result of this one.
  std::array<int, 2> true_count{}, threads{};
};

struct Cluster {
  unsigned first_block = 0, blocks = 0, first_warp = 0, warps = 0, live = 0;
  Barrier barrier;
};

struct Block {
  uint3 index{};
  Cluster* cluster = nullptr;
  unsigned first_warp = 0, warps = 0, live = 0;
  char* shared = nullptr;
  std::size_t shared_capacity = 0;
  Barrier barrier;
};

struct Launch {
  dim3 grid, block, cluster;
  std::size_t shared_bytes = 0;
  bool cooperative = false;
  std::function<void()> body;  // of one thread
};

struct Scheduler {
  std::vector<std::unique_ptr<Warp>> warps;
  std::vector<std::unique_ptr<Block>> blocks;
  std::vector<std::unique_ptr<Cluster>> clusters;
  std::size_t warps_alive = 0, blocks_alive = 0, clusters_alive = 0, threads_started = 0;
  std::vector<std::uint64_t> ready;  // one bit per warp; may be set although no lane is ready
  unsigned live = 0;
  bool any_yielded = false;
  unsigned rounds_without_progress = 0, polls = 0;
  Barrier grid;
  const Launch* launch = nullptr;
  Fiber* host = nullptr;
};
extern Scheduler& scheduler;

inline Thread& self() {
  return *static_cast<Thread*>(current);
}

/// Runs every thread of a launch to completion.
void run(const Launch& launch);

/// Switches to another ready thread. Returns when the calling one has been made ready and is chosen
/// again.
void switch_thread();
void make_ready(Warp& warp, unsigned lanes);

/// Called when a thread exits: operations that wait for it may complete, or become impossible.
void leave_collectives(Thread& thread);
void leave_barriers(Thread& thread);

void allocate_shared_memory(Block& block, std::size_t bytes);
void release_shared_memory(Block& block, std::size_t bytes);

/// The order in which threads are run.
Order current_order();
std::uint64_t next_random();

[[noreturn]] void report_deadlock();
const char* name_of(Operation operation);

}  // namespace emulator
