#include <algorithm>
#include <bit>

#include "tests/emulator/scheduler.h"

/// Collective operations of a warp: the lanes of a mask arrive with a value each, and read results
/// when all have arrived.
namespace emulator {
namespace {

constexpr std::uint64_t undefined = 0xcdcdcdcdcdcdcdcd;

/// In CUDA, votes and barriers of a warp do not wait for exited lanes. A shuffle from an exited
/// lane is undefined there, and an error here.
bool needs_every_lane(Operation operation) {
  return operation <= Operation::shuffle_xor;
}

[[noreturn]] void fail_for_exited(const Thread& thread, Operation operation, unsigned mask,
                                  unsigned exited) {
  fail(
      "block (%u,%u,%u) thread (%u,%u,%u) waits at %s with mask 0x%08x for lane %d, which has "
      "exited or never existed",
      thread.block.x, thread.block.y, thread.block.z, thread.thread.x, thread.thread.y,
      thread.thread.z, name_of(operation), mask, std::countr_zero(exited));
}

Collective& find_collective(Warp& warp, Operation operation, unsigned mask) {
  for (unsigned open = warp.open; open != 0; open &= open - 1) {
    Collective& collective = warp.collectives[static_cast<unsigned>(std::countr_zero(open))];
    if (collective.mask == mask && collective.operation == operation) return collective;
  }
  // A lane is in one collective at a time, so 32 are enough.
  const auto slot = static_cast<unsigned>(std::countr_one(warp.used));
  warp.used |= 1U << slot;
  warp.open |= 1U << slot;
  Collective& collective = warp.collectives[slot];
  collective.operation = operation;
  collective.mask = mask;
  collective.arrived = collective.votes = 0;
  return collective;
}

unsigned bit_of(const Warp& warp, const Collective& collective) {
  return 1U << (&collective - warp.collectives.data());
}

void complete_if_all_arrived(Warp& warp, Collective& collective) {
  if ((collective.mask & warp.live & ~collective.arrived) != 0) return;
  collective.unread = collective.arrived;
  warp.open &= ~bit_of(warp, collective);
  make_ready(warp, collective.arrived);
  scheduler.rounds_without_progress = 0;
}

/// Waits for all lanes of the mask. The caller reads the result and then calls `leave`.
Collective& arrive_and_wait(Operation operation, unsigned mask, std::uint64_t value,
                            bool predicate) {
  Thread& thread = self();
  Warp& warp = *thread.warp;
  if ((mask & thread.bit()) == 0)
    fail(
        "block (%u,%u,%u) thread (%u,%u,%u) calls %s with mask 0x%08x, which does not include its "
        "own lane %u",
        thread.block.x, thread.block.y, thread.block.z, thread.thread.x, thread.thread.y,
        thread.thread.z, name_of(operation), mask, thread.lane);
  if (needs_every_lane(operation) && (mask & ~warp.live) != 0)
    fail_for_exited(thread, operation, mask, mask & ~warp.live);
  Collective& collective = find_collective(warp, operation, mask);
  collective.value[thread.lane] = value;
  collective.arrived |= thread.bit();
  if (predicate) collective.votes |= thread.bit();
  thread.waits_at = operation;
  thread.wait_mask = mask;
  complete_if_all_arrived(warp, collective);
  switch_thread();
  thread.waits_at = Operation::none;
  return collective;
}

void leave(Collective& collective) {
  const Thread& thread = self();
  collective.unread &= ~thread.bit();
  if (collective.unread == 0) thread.warp->used &= ~bit_of(*thread.warp, collective);
}

}  // namespace

void leave_collectives(Thread& thread) {
  Warp& warp = *thread.warp;
  for (unsigned open = warp.open; open != 0; open &= open - 1) {
    Collective& collective = warp.collectives[static_cast<unsigned>(std::countr_zero(open))];
    if ((collective.mask & thread.bit()) == 0) continue;
    if (needs_every_lane(collective.operation))
      fail_for_exited(warp.threads[static_cast<unsigned>(std::countr_zero(collective.arrived))],
                      collective.operation, collective.mask, thread.bit());
    complete_if_all_arrived(warp, collective);
  }
}

std::uint64_t shuffle(Operation operation, unsigned mask, std::uint64_t value, unsigned source) {
  Collective& collective = arrive_and_wait(operation, mask, value, false);
  const std::uint64_t result =
      (collective.arrived >> source & 1) != 0 ? collective.value[source] : undefined;
  leave(collective);
  return result;
}

unsigned vote(Operation operation, unsigned mask, bool predicate) {
  Collective& collective = arrive_and_wait(operation, mask, 0, predicate);
  const unsigned result = collective.votes;
  leave(collective);
  return result;
}

unsigned match_any(unsigned mask, std::uint64_t value) {
  Collective& collective = arrive_and_wait(Operation::match_any, mask, value, false);
  unsigned result = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    if ((collective.arrived >> lane & 1) != 0 && collective.value[lane] == value)
      result |= 1U << lane;
  leave(collective);
  return result;
}

unsigned reduce(Operation operation, unsigned mask, unsigned value) {
  Collective& collective = arrive_and_wait(operation, mask, value, false);
  unsigned result = value;
  for (unsigned rest = collective.arrived & ~self().bit(); rest != 0; rest &= rest - 1) {
    const auto other =
        static_cast<unsigned>(collective.value[static_cast<unsigned>(std::countr_zero(rest))]);
    if (operation == Operation::reduce_add) result += other;
    if (operation == Operation::reduce_min) result = std::min(result, other);
    if (operation == Operation::reduce_max) result = std::max(result, other);
    if (operation == Operation::reduce_and) result &= other;
    if (operation == Operation::reduce_or) result |= other;
    if (operation == Operation::reduce_xor) result ^= other;
  }
  leave(collective);
  return result;
}

void sync_warp(unsigned mask) {
  leave(arrive_and_wait(Operation::sync_warp, mask, 0, false));
}

unsigned active_lanes() {
  return self().warp->live;
}

}  // namespace emulator
