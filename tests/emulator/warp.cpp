#include <algorithm>
#include <bit>

#include "tests/emulator/scheduler.h"

/// The operations of a warp: lanes of a mask meet, each brings a value, and each takes away what it
/// asked for.
namespace emulator {
namespace {

constexpr std::uint64_t undefined = 0xcdcdcdcdcdcdcdcd;

/// CUDA lets votes and barriers of a warp go on without lanes that have exited. A shuffle with such
/// a lane has no defined value there, and none here.
bool needs_every_lane(Operation operation) {
  return operation <= Operation::shuffle_xor;
}

[[noreturn]] void fail_for_exited(const Thread& thread, Operation operation, unsigned mask,
                                  unsigned exited) {
  fail(
      "block (%u,%u,%u) thread (%u,%u,%u) waits at %s with mask 0x%08x for lane %d, which has "
      "exited or "
      "never "
      "existed",
      thread.block.x, thread.block.y, thread.block.z, thread.thread.x, thread.thread.y,
      thread.thread.z, name_of(operation), mask, std::countr_zero(exited));
}

Meeting& find_meeting(Warp& warp, Operation operation, unsigned mask) {
  for (unsigned open = warp.open; open != 0; open &= open - 1) {
    Meeting& meeting = warp.meetings[static_cast<unsigned>(std::countr_zero(open))];
    if (meeting.mask == mask && meeting.operation == operation) return meeting;
  }
  // A lane is in one meeting at a time, so that 32 are enough.
  const auto place = static_cast<unsigned>(std::countr_one(warp.used));
  warp.used |= 1U << place;
  warp.open |= 1U << place;
  Meeting& meeting = warp.meetings[place];
  meeting.operation = operation;
  meeting.mask = mask;
  meeting.arrived = meeting.votes = 0;
  return meeting;
}

unsigned bit_of(const Warp& warp, const Meeting& meeting) {
  return 1U << (&meeting - warp.meetings.data());
}

void complete_if_all_are_here(Warp& warp, Meeting& meeting) {
  if ((meeting.mask & warp.live & ~meeting.arrived) != 0) return;
  meeting.unread = meeting.arrived;
  warp.open &= ~bit_of(warp, meeting);
  make_ready(warp, meeting.arrived);
  scheduler.fruitless_rounds = 0;
}

/// Waits for all lanes of the mask. The caller reads from the meeting and then leaves it.
Meeting& meet(Operation operation, unsigned mask, std::uint64_t value, bool yes) {
  Thread& thread = self();
  Warp& warp = *thread.warp;
  if ((mask & thread.bit()) == 0)
    fail(
        "block (%u,%u,%u) thread (%u,%u,%u) calls %s with mask 0x%08x, which does not name its own "
        "lane %u",
        thread.block.x, thread.block.y, thread.block.z, thread.thread.x, thread.thread.y,
        thread.thread.z, name_of(operation), mask, thread.lane);
  if (needs_every_lane(operation) && (mask & ~warp.live) != 0)
    fail_for_exited(thread, operation, mask, mask & ~warp.live);
  Meeting& meeting = find_meeting(warp, operation, mask);
  meeting.value[thread.lane] = value;
  meeting.arrived |= thread.bit();
  if (yes) meeting.votes |= thread.bit();
  thread.waits_at = operation;
  thread.waits_with = mask;
  complete_if_all_are_here(warp, meeting);
  pass_on();
  thread.waits_at = Operation::none;
  return meeting;
}

void leave(Meeting& meeting) {
  const Thread& thread = self();
  meeting.unread &= ~thread.bit();
  if (meeting.unread == 0) thread.warp->used &= ~bit_of(*thread.warp, meeting);
}

}  // namespace

void leave_meetings(Thread& thread) {
  Warp& warp = *thread.warp;
  for (unsigned open = warp.open; open != 0; open &= open - 1) {
    Meeting& meeting = warp.meetings[static_cast<unsigned>(std::countr_zero(open))];
    if ((meeting.mask & thread.bit()) == 0) continue;
    if (needs_every_lane(meeting.operation))
      fail_for_exited(warp.threads[static_cast<unsigned>(std::countr_zero(meeting.arrived))],
                      meeting.operation, meeting.mask, thread.bit());
    complete_if_all_are_here(warp, meeting);
  }
}

std::uint64_t shuffle(Operation operation, unsigned mask, std::uint64_t value, unsigned source) {
  Meeting& meeting = meet(operation, mask, value, false);
  const std::uint64_t result =
      (meeting.arrived >> source & 1) != 0 ? meeting.value[source] : undefined;
  leave(meeting);
  return result;
}

unsigned vote(Operation operation, unsigned mask, bool yes) {
  Meeting& meeting = meet(operation, mask, 0, yes);
  const unsigned result = meeting.votes;
  leave(meeting);
  return result;
}

unsigned match_any(unsigned mask, std::uint64_t value) {
  Meeting& meeting = meet(Operation::match_any, mask, value, false);
  unsigned result = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    if ((meeting.arrived >> lane & 1) != 0 && meeting.value[lane] == value) result |= 1U << lane;
  leave(meeting);
  return result;
}

unsigned reduce(Operation operation, unsigned mask, unsigned value) {
  Meeting& meeting = meet(operation, mask, value, false);
  unsigned result = value;
  for (unsigned rest = meeting.arrived & ~self().bit(); rest != 0; rest &= rest - 1) {
    const auto other =
        static_cast<unsigned>(meeting.value[static_cast<unsigned>(std::countr_zero(rest))]);
    if (operation == Operation::reduce_add) result += other;
    if (operation == Operation::reduce_min) result = std::min(result, other);
    if (operation == Operation::reduce_max) result = std::max(result, other);
    if (operation == Operation::reduce_and) result &= other;
    if (operation == Operation::reduce_or) result |= other;
    if (operation == Operation::reduce_xor) result ^= other;
  }
  leave(meeting);
  return result;
}

void sync_warp(unsigned mask) {
  leave(meet(Operation::sync_warp, mask, 0, false));
}

unsigned active_lanes() {
  return self().warp->live;
}

}  // namespace emulator
