#include <bit>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/emulator/scheduler.h"

namespace emulator {
namespace {

std::string text_of(uint3 v) {
  return "(" + std::to_string(v.x) + "," + std::to_string(v.y) + "," + std::to_string(v.z) + ")";
}

std::string location_of(const Thread& thread) {
  return "block " + text_of(thread.block) + " thread " + text_of(thread.thread);
}

std::string state_of(const Thread& thread) {
  const bool live = (thread.warp->live & thread.bit()) != 0;
  return location_of(thread) + ", which " +
         (live ? std::string("waits at ") + name_of(thread.waits_at) : "has exited");
}

bool is_warp_operation(Operation operation) {
  return operation < Operation::sync_block;
}

/// A thread that `thread` waits for and that has not arrived; or null.
const Thread* missing_for(const Thread& thread) {
  const Warp& own = *thread.warp;
  if (is_warp_operation(thread.waits_at)) {
    for (unsigned rest = thread.wait_mask & own.live; rest != 0; rest &= rest - 1) {
      const Thread& other = own.threads[static_cast<unsigned>(std::countr_zero(rest))];
      if (other.waits_at != thread.waits_at || other.wait_mask != thread.wait_mask) return &other;
    }
    return nullptr;
  }
  const Scope scope = thread.waits_at == Operation::sync_grid      ? in_grid
                      : thread.waits_at == Operation::sync_cluster ? in_cluster
                                                                   : in_block;
  for (std::size_t i = 0; i < scheduler.warps_alive; ++i) {
    const Warp& warp = *scheduler.warps[i];
    if (scope == in_block && warp.block != own.block) continue;
    if (scope == in_cluster && warp.block->cluster != own.block->cluster) continue;
    // An exited thread is missing at the grid's barrier only.
    const unsigned missing = (scope == in_grid ? warp.launched : warp.live) & ~warp.waiting[scope];
    if (missing != 0) return &warp.threads[static_cast<unsigned>(std::countr_zero(missing))];
  }
  return nullptr;
}

}  // namespace

void fail(const char* format, ...) {
  std::fflush(stdout);
  std::fputs("CUDA emulator: ", stderr);
  va_list arguments;
  va_start(arguments, format);
  std::vfprintf(stderr, format, arguments);
  va_end(arguments);
  std::fputc('\n', stderr);
  std::abort();
}

void report_deadlock() {
  for (std::size_t i = 0; i < scheduler.warps_alive; ++i) {
    const Warp& warp = *scheduler.warps[i];
    for (unsigned rest = warp.live; rest != 0; rest &= rest - 1) {
      const Thread& thread = warp.threads[static_cast<unsigned>(std::countr_zero(rest))];
      const Thread* missing = missing_for(thread);
      if (missing == nullptr) continue;
      char mask[32] = "";
      if (is_warp_operation(thread.waits_at))
        std::snprintf(mask, sizeof mask, " with mask 0x%08x", thread.wait_mask);
      fail("deadlock: %s waits at %s%s for %s", location_of(thread).c_str(),
           name_of(thread.waits_at), mask, state_of(*missing).c_str());
    }
  }
  fail("deadlock: no thread can continue");
}

const char* name_of(Operation operation) {
  switch (operation) {
    case Operation::none:
      return "nothing";
    case Operation::shuffle:
      return "__shfl_sync";
    case Operation::shuffle_up:
      return "__shfl_up_sync";
    case Operation::shuffle_down:
      return "__shfl_down_sync";
    case Operation::shuffle_xor:
      return "__shfl_xor_sync";
    case Operation::sync_warp:
      return "__syncwarp";
    case Operation::ballot:
      return "__ballot_sync";
    case Operation::any:
      return "__any_sync";
    case Operation::all:
      return "__all_sync";
    case Operation::match_any:
      return "__match_any_sync";
    case Operation::reduce_add:
      return "__reduce_add_sync";
    case Operation::reduce_min:
      return "__reduce_min_sync";
    case Operation::reduce_max:
      return "__reduce_max_sync";
    case Operation::reduce_and:
      return "__reduce_and_sync";
    case Operation::reduce_or:
      return "__reduce_or_sync";
    case Operation::reduce_xor:
      return "__reduce_xor_sync";
    case Operation::sync_block:
      return "__syncthreads";
    case Operation::sync_block_or:
      return "__syncthreads_or";
    case Operation::sync_block_and:
      return "__syncthreads_and";
    case Operation::sync_block_count:
      return "__syncthreads_count";
    case Operation::sync_cluster:
      return "the cluster's barrier";
    case Operation::sync_grid:
      return "grid.sync()";
  }
  return "?";
}

}  // namespace emulator
