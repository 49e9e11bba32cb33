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

/// The inside of the emulator: who runs, who waits, and for whom.
namespace emulator {

struct Block;
struct Warp;

struct Copy {
  void* to;
  const void* from;
  std::size_t bytes, zeros, group;
};

struct Thread : Place {
  Warp* warp = nullptr;
  Operation waits_at = Operation::none;
  unsigned waits_with = 0;  // the mask of an operation of the warp
  bool has_arrived_at_cluster = false;
  std::uint64_t cluster_generation = 0;
  std::size_t groups = 0;
  std::vector<Copy> copies;
  std::optional<Fiber> fiber;

  unsigned bit() const { return 1U << lane; }
};

/// Lanes of one mask on their way through one operation. It lives until the last of them has read
/// the result.
struct Meeting {
  Operation operation;
  unsigned mask, arrived, unread, votes;
  std::array<std::uint64_t, 32> value;
};

enum Scope { in_block, in_cluster, in_grid };

/// Lane n is bit n of every mask.
struct Warp {
  unsigned index = 0;  // among all that are alive
  Block* block = nullptr;
  unsigned born = 0, live = 0, ready = 0, yielded = 0;
  std::array<unsigned, 3> waiting{};  // at the barrier of a Scope
  unsigned open = 0, used = 0;        // meetings that wait for a lane; and those that are not free
  std::array<Thread, 32> threads;
  std::array<Meeting, 32> meetings;
};

struct Barrier {
  unsigned arrived = 0;
  Operation operation = Operation::none;
  std::uint64_t generation = 0;
  // By the generation's parity: a thread may arrive at the next one before another has read this
  // one's.
  std::array<int, 2> yes{}, threads{};
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
  std::function<void()> body;  // what one thread does
};

struct Scheduler {
  std::vector<std::unique_ptr<Warp>> warps;
  std::vector<std::unique_ptr<Block>> blocks;
  std::vector<std::unique_ptr<Cluster>> clusters;
  std::size_t warps_alive = 0, blocks_alive = 0, clusters_alive = 0, threads_started = 0;
  std::vector<std::uint64_t> ready;  // a bit for each warp; it may be set although no lane is ready
                                     // any more
  unsigned live = 0;
  bool somebody_yielded = false;
  unsigned fruitless_rounds = 0, polls = 0;
  Barrier grid;
  const Launch* launch = nullptr;
  Fiber* host = nullptr;
};
extern Scheduler& scheduler;

inline Thread& self() {
  return *static_cast<Thread*>(here);
}

/// Runs every thread of a launch to its end.
void run(const Launch& launch);

/// Goes on with another thread that is ready; returns when the running one, made ready by somebody,
/// is chosen again.
void pass_on();
void make_ready(Warp& warp, unsigned lanes);

/// A thread has ended: operations of its warp that wait for it may be complete, or impossible.
void leave_meetings(Thread& thread);
void leave_barriers(Thread& thread);

void give_shared_memory(Block& block, std::size_t bytes);
void take_shared_memory(Block& block, std::size_t bytes);

/// The order in which threads are run.
Order current_order();
std::uint64_t next_random();

[[noreturn]] void report_deadlock();
const char* name_of(Operation operation);

}  // namespace emulator
