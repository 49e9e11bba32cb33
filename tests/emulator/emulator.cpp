#include "tests/emulator/emulator.h"

#include <emulated/functions.h>

#include <algorithm>
#include <bit>
#include <mutex>
#include <numeric>

#include "tests/emulator/scheduler.h"

uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;

namespace emulator {

ThreadContext* current = nullptr;
// Never destroyed: the stacks of suspended fibers refer to it until the program ends.
Scheduler& scheduler = *new Scheduler;

namespace {

/// Rounds in which every thread that yielded ran again, but none passed a barrier or exited.
constexpr unsigned max_rounds_without_progress = 1'000'000;
constexpr unsigned polls_per_turn = 1'024;

unsigned choose_lane(unsigned ready) {
  switch (current_order()) {
    case Order::forward:
      return static_cast<unsigned>(std::countr_zero(ready));
    case Order::backward:
      return 31U - static_cast<unsigned>(std::countl_zero(ready));
    case Order::shuffled:
      break;
  }
  const unsigned start = next_random() % 32;
  return (static_cast<unsigned>(std::countr_zero(std::rotr(ready, static_cast<int>(start)))) +
          start) %
         32;
}

/// The first warp with a ready lane in [start, end), by the bits of scheduler.ready; or null.
Warp* ready_from(std::size_t start, std::size_t end) {
  for (std::size_t i = start; i < end;) {
    const std::uint64_t word = scheduler.ready[i / 64] >> (i % 64);
    if (word == 0) {
      i = (i / 64 + 1) * 64;
      continue;
    }
    i += static_cast<std::size_t>(std::countr_zero(word));
    if (i >= end) break;
    if (scheduler.warps[i]->ready != 0) return scheduler.warps[i].get();
    scheduler.ready[i / 64] &= ~(1ULL << (i % 64));
  }
  return nullptr;
}

Warp* last_ready() {
  for (std::size_t i = scheduler.ready.size(); i-- > 0;) {
    while (const std::uint64_t word = scheduler.ready[i]) {
      const auto bit = 63U - static_cast<unsigned>(std::countl_zero(word));
      Warp& warp = *scheduler.warps[i * 64 + bit];
      if (warp.ready != 0) return &warp;
      scheduler.ready[i] &= ~(1ULL << bit);
    }
  }
  return nullptr;
}

Warp* any_ready_warp() {
  const std::size_t end = scheduler.warps_alive;
  switch (current_order()) {
    case Order::forward:
      return ready_from(0, end);
    case Order::backward:
      return last_ready();
    case Order::shuffled:
      break;
  }
  const std::size_t start = next_random() % end;
  Warp* warp = ready_from(start, end);
  return warp != nullptr ? warp : ready_from(0, start);
}

void wake_yielded_threads() {
  if (++scheduler.rounds_without_progress > max_rounds_without_progress)
    fail("deadlock: threads spin on a condition that no other thread changes");
  scheduler.any_yielded = false;
  for (std::size_t i = 0; i < scheduler.warps_alive; ++i) {
    Warp& warp = *scheduler.warps[i];
    if (warp.yielded == 0) continue;
    make_ready(warp, warp.yielded);
    warp.yielded = 0;
  }
}

/// The thread that runs next, or null when all have exited. Prefers `warp`, whose threads are in
/// the cache.
Thread* choose(Warp* warp) {
  // One switch in eight changes the warp, which lets warps overtake each other anywhere.
  const bool jump = current_order() == Order::shuffled && next_random() % 8 == 0;
  if (warp == nullptr || warp->ready == 0 || jump) {
    warp = any_ready_warp();
    if (warp == nullptr) {
      if (scheduler.live == 0) return nullptr;
      if (!scheduler.any_yielded) report_deadlock();
      wake_yielded_threads();
      warp = any_ready_warp();
    }
  }
  const unsigned lane = choose_lane(warp->ready);
  warp->ready &= ~(1U << lane);
  return &warp->threads[lane];
}

void set_current(Thread* thread) {
  current = thread;
  if (thread == nullptr) return;
  threadIdx = thread->thread;
  blockIdx = thread->block;
}

void end_thread() {
  Thread& thread = self();
  Block& block = *thread.warp->block;
  thread.warp->live &= ~thread.bit();
  --block.live;
  --block.cluster->live;
  --scheduler.live;
  scheduler.rounds_without_progress = 0;
  leave_collectives(thread);
  leave_barriers(thread);
  if (block.live == 0) release_shared_memory(block, scheduler.launch->shared_bytes);
  switch_thread();
}

/// A fiber runs one thread after another, so that its stack is allocated once.
void run_threads() {
  for (;;) {
    try {
      scheduler.launch->body();
    } catch (...) {
      fail("block (%u,%u,%u) thread (%u,%u,%u): an exception in a kernel", current->block.x,
           current->block.y, current->block.z, current->thread.x, current->thread.y,
           current->thread.z);
    }
    end_thread();
  }
}

void prepare_thread(Thread& thread, Warp& warp, unsigned rank, const Launch& launch) {
  const dim3 size = launch.block;
  thread.thread = {rank % size.x, rank / size.x % size.y, rank / size.x / size.y};
  thread.block = warp.block->index;
  thread.shared = warp.block->shared;
  thread.shared_bytes = launch.shared_bytes;
  thread.rank = rank;
  thread.lane = rank % 32;
  thread.cooperative = launch.cooperative;
  thread.warp = &warp;
  thread.waits_at = Operation::none;
  thread.has_arrived_at_cluster = false;
  thread.groups = 0;
  thread.copies.clear();
  if (!thread.fiber) thread.fiber.emplace(&run_threads);
}

template <class T>
T& next_from(std::vector<std::unique_ptr<T>>& pool, std::size_t& used) {
  if (used == pool.size()) pool.push_back(std::make_unique<T>());
  return *pool[used++];
}

void add_block(uint3 index, Cluster& cluster, const Launch& launch) {
  const unsigned threads = launch.block.x * launch.block.y * launch.block.z;
  Block& block = next_from(scheduler.blocks, scheduler.blocks_alive);
  block.index = index;
  block.cluster = &cluster;
  block.first_warp = static_cast<unsigned>(scheduler.warps_alive);
  block.warps = (threads + 31) / 32;
  block.live = threads;
  block.barrier = {};
  allocate_shared_memory(block, launch.shared_bytes);
  for (unsigned first = 0; first < threads; first += 32) {
    const auto index_of_warp = static_cast<unsigned>(scheduler.warps_alive);
    Warp& warp = next_from(scheduler.warps, scheduler.warps_alive);
    warp.index = index_of_warp;
    warp.block = &block;
    const unsigned count = std::min(32U, threads - first);
    warp.launched = warp.live = count == 32 ? ~0U : (1U << count) - 1;
    warp.ready = warp.yielded = warp.open = warp.used = 0;
    warp.waiting = {};
    for (unsigned lane = 0; lane < count; ++lane) {
      Thread& thread = warp.threads[lane];
      prepare_thread(thread, warp, first + lane, launch);
      thread.rank_in_cluster = cluster.blocks;
      thread.cluster_size = launch.cluster.x * launch.cluster.y * launch.cluster.z;
    }
  }
  cluster.blocks += 1;
  cluster.warps += block.warps;
  cluster.live += threads;
  scheduler.live += threads;
}

void add_cluster(std::size_t number, const Launch& launch) {
  const dim3 size = launch.cluster;
  const std::size_t across = launch.grid.x / size.x, down = launch.grid.y / size.y;
  const auto x = static_cast<unsigned>(number % across),
             y = static_cast<unsigned>(number / across % down),
             z = static_cast<unsigned>(number / across / down);
  Cluster& cluster = next_from(scheduler.clusters, scheduler.clusters_alive);
  cluster = {};
  cluster.first_block = static_cast<unsigned>(scheduler.blocks_alive);
  cluster.first_warp = static_cast<unsigned>(scheduler.warps_alive);
  for (unsigned k = 0; k < size.z; ++k)
    for (unsigned j = 0; j < size.y; ++j)
      for (unsigned i = 0; i < size.x; ++i)
        add_block({x * size.x + i, y * size.y + j, z * size.z + k}, cluster, launch);
}

/// Runs the blocks that were added, all resident at once, to completion.
void run_resident() {
  scheduler.ready.assign((scheduler.warps_alive + 63) / 64, 0);
  for (std::size_t i = 0; i < scheduler.warps_alive; ++i)
    make_ready(*scheduler.warps[i], scheduler.warps[i]->live);
  scheduler.grid = {};
  scheduler.threads_started = scheduler.live;
  scheduler.any_yielded = false;
  scheduler.rounds_without_progress = 0;
  Fiber host;
  scheduler.host = &host;
  Thread* first = choose(nullptr);
  set_current(first);
  Fiber::switch_to(host, *first->fiber);
  scheduler.warps_alive = scheduler.blocks_alive = scheduler.clusters_alive = 0;
}

void run_blocks(const Launch& launch) {
  scheduler.launch = &launch;
  gridDim = launch.grid;
  blockDim = launch.block;
  const std::size_t in_cluster =
      std::size_t{launch.cluster.x} * launch.cluster.y * launch.cluster.z;
  const std::size_t count = std::size_t{launch.grid.x} * launch.grid.y * launch.grid.z / in_cluster;
  if (launch.cooperative) {
    for (std::size_t i = 0; i < count; ++i) add_cluster(i, launch);
    return run_resident();
  }
  std::vector<std::size_t> sequence(count);
  std::iota(sequence.begin(), sequence.end(), std::size_t{0});
  if (current_order() == Order::backward) std::reverse(sequence.begin(), sequence.end());
  if (current_order() == Order::shuffled)
    for (std::size_t i = count; i > 1; --i) std::swap(sequence[i - 1], sequence[next_random() % i]);
  for (const std::size_t number : sequence) {
    add_cluster(number, launch);
    run_resident();
  }
}

}  // namespace

void make_ready(Warp& warp, unsigned lanes) {
  warp.ready |= lanes;
  scheduler.ready[warp.index / 64] |= 1ULL << (warp.index % 64);
}

void switch_thread() {
  Thread& from = self();
  Thread* to = choose(from.warp);
  if (to == &from) return;
  set_current(to);
  Fiber::switch_to(*from.fiber, to != nullptr ? *to->fiber : *scheduler.host);
}

void yield() {
  Warp& warp = *self().warp;
  warp.yielded |= self().bit();
  scheduler.any_yielded = true;
  switch_thread();
}

void poll() {
  if (++scheduler.polls < polls_per_turn) return;
  scheduler.polls = 0;
  yield();
}

void run(const Launch& launch) {
  // Held until the kernel has ended. Kernels take no lock and wait for no host thread, and no lock
  // of the runtime is held here, so concurrent launches of host threads run one after another.
  static std::mutex one_at_a_time;
  thread_local bool inside = false;
  if (inside) fail("a kernel cannot launch a kernel");
  const std::lock_guard lock(one_at_a_time);
  inside = true;
  run_blocks(launch);
  inside = false;
}

}  // namespace emulator
