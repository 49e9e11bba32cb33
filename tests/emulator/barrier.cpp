#include "tests/emulator/scheduler.h"

/// Barriers of a block, a cluster and a grid.
namespace emulator {
namespace {

void release(Scope scope, unsigned first_warp, unsigned warps) {
  for (unsigned i = first_warp; i < first_warp + warps; ++i) {
    Warp& warp = *scheduler.warps[i];
    if (warp.waiting[scope] == 0) continue;
    make_ready(warp, warp.waiting[scope]);
    warp.waiting[scope] = 0;
  }
}

void complete(Barrier& barrier) {
  const std::size_t parity = barrier.generation & 1;
  barrier.threads[parity] = static_cast<int>(barrier.arrived);
  barrier.true_count[1 - parity] = 0;
  barrier.arrived = 0;
  ++barrier.generation;
  scheduler.rounds_without_progress = 0;
}

void complete_if_all_arrived(Block& block) {
  if (block.barrier.arrived == 0 || block.barrier.arrived != block.live) return;
  complete(block.barrier);
  release(in_block, block.first_warp, block.warps);
}

void complete_if_all_arrived(Cluster& cluster) {
  if (cluster.barrier.arrived == 0 || cluster.barrier.arrived != cluster.live) return;
  complete(cluster.barrier);
  release(in_cluster, cluster.first_warp, cluster.warps);
}

void wait_at(Operation operation) {
  Thread& thread = self();
  thread.waits_at = operation;
  switch_thread();
  thread.waits_at = Operation::none;
}

}  // namespace

BlockVote sync_block(Operation operation, bool predicate) {
  Thread& thread = self();
  Block& block = *thread.warp->block;
  Barrier& barrier = block.barrier;
  if (barrier.arrived == 0) barrier.operation = operation;
  if (barrier.operation != operation)
    fail("block (%u,%u,%u) thread (%u,%u,%u) is at %s while other threads of the block are at %s",
         thread.block.x, thread.block.y, thread.block.z, thread.thread.x, thread.thread.y,
         thread.thread.z, name_of(operation), name_of(barrier.operation));
  const std::size_t parity = barrier.generation & 1;
  barrier.arrived += 1;
  barrier.true_count[parity] += predicate ? 1 : 0;
  thread.warp->waiting[in_block] |= thread.bit();
  complete_if_all_arrived(block);
  wait_at(operation);
  return {barrier.true_count[parity], barrier.threads[parity]};
}

void sync_grid() {
  Thread& thread = self();
  if (!thread.cooperative) fail("grid.sync() in a launch that is not cooperative");
  // Counts exited threads too: the real barrier would wait for them for ever.
  thread.warp->waiting[in_grid] |= thread.bit();
  if (++scheduler.grid.arrived == scheduler.threads_started) {
    complete(scheduler.grid);
    release(in_grid, 0, static_cast<unsigned>(scheduler.warps_alive));
  }
  wait_at(Operation::sync_grid);
}

void cluster_arrive() {
  Thread& thread = self();
  Cluster& cluster = *thread.warp->block->cluster;
  if (thread.has_arrived_at_cluster)
    fail(
        "block (%u,%u,%u) thread (%u,%u,%u) arrives at the cluster's barrier twice without waiting",
        thread.block.x, thread.block.y, thread.block.z, thread.thread.x, thread.thread.y,
        thread.thread.z);
  thread.has_arrived_at_cluster = true;
  thread.cluster_generation = cluster.barrier.generation;
  ++cluster.barrier.arrived;
  complete_if_all_arrived(cluster);
}

void cluster_wait() {
  Thread& thread = self();
  if (!thread.has_arrived_at_cluster)
    fail("block (%u,%u,%u) thread (%u,%u,%u) waits at the cluster's barrier without having arrived",
         thread.block.x, thread.block.y, thread.block.z, thread.thread.x, thread.thread.y,
         thread.thread.z);
  thread.has_arrived_at_cluster = false;
  if (thread.warp->block->cluster->barrier.generation != thread.cluster_generation) {
    make_ready(*thread.warp, thread.bit());
  } else {
    thread.warp->waiting[in_cluster] |= thread.bit();
  }
  wait_at(Operation::sync_cluster);
}

void leave_barriers(Thread& thread) {
  Block& block = *thread.warp->block;
  Cluster& cluster = *block.cluster;
  // A thread that has arrived and exits without waiting counts neither as live nor as arrived.
  if (thread.has_arrived_at_cluster && cluster.barrier.generation == thread.cluster_generation)
    --cluster.barrier.arrived;
  complete_if_all_arrived(block);
  complete_if_all_arrived(cluster);
}

}  // namespace emulator
