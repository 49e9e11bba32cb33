#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/check.h"
#include "engine/types.h"

namespace mote::engine {

/// The ranks that advance one simulation together: threads of a process, or processes. Each has
/// memory of its own, and all make the same calls in the same order. Functions that take a pointer
/// to Ranks take null for a simulation that is alone, and then do what one rank would.
///
/// No number is summed in transit: ranks exchange bytes, and the receiver adds numbers in rank
/// order, so that results have the same bits every time.
class Ranks {
 public:
  struct Outgoing {
    int to;
    std::span<const std::byte> bytes;
  };
  struct Incoming {
    int from;
    std::span<std::byte> bytes;
  };

  virtual ~Ranks() = default;
  /// The calling one, 0 to size() - 1.
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// True if they are threads of one process, which may read each other's memory.
  virtual bool share_memory() const = 0;
  /// The largest number of ranks on one machine, which share its memory: the same on all ranks.
  virtual int most_on_a_machine() const { return size(); }
  /// The number of ranks, this one among them, that share the cores which this process may use.
  virtual int sharing_cores() const { return size(); }

  /// Sends and receives messages between the ranks, and returns when all have arrived here and
  /// those sent may be overwritten. Between two ranks, the k-th message sent is the k-th received,
  /// and has its size. Throws SystemError if another rank has ended, or its messages are not those
  /// that are expected: it makes other calls.
  void exchange(std::span<const Outgoing> send, std::span<const Incoming> receive);

  /// Counts bytes that passed between ranks in another way than by exchange().
  void count(std::uint64_t sent, std::uint64_t received) { sent_ += sent, received_ += received; }
  /// Bytes that this rank has sent to others and received from them.
  std::uint64_t bytes_sent() const { return sent_; }
  std::uint64_t bytes_received() const { return received_; }

 protected:
  virtual void do_exchange(std::span<const Outgoing> send, std::span<const Incoming> receive) = 0;

 private:
  std::uint64_t sent_ = 0, received_ = 0;
};

/// Elements [begin, end) of something that is divided between ranks.
struct Range {
  Index begin = 0, end = 0;
  Index count() const { return end - begin; }
  friend bool operator==(const Range&, const Range&) = default;
};
/// The intersection of two ranges; empty, with any begin, if they are disjoint.
Range common(const Range& a, const Range& b);

/// The range of a rank if `count` elements are divided evenly, between multiples of `multiple`.
Range share_of(Index count, int rank, int size, Index multiple = 1);
/// That of the calling rank.
Range own_share(const Ranks* ranks, Index count, Index multiple = 1);

/// Sends the bytes to every rank, and receives those of rank r in room[r], which has their size.
void gather_bytes(Ranks& ranks, std::span<const std::byte> own,
                  const std::vector<std::span<std::byte>>& room);

/// One value of each rank, in their order.
template <class T>
std::vector<T> gather_one(Ranks* ranks, const T& own) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (!ranks) return {own};
  std::vector<T> all(static_cast<std::size_t>(ranks->size()));
  std::vector<std::span<std::byte>> room;
  for (T& value : all) room.push_back(std::as_writable_bytes(std::span(&value, 1)));
  gather_bytes(*ranks, std::as_bytes(std::span(&own, 1)), room);
  return all;
}

/// The values of all ranks, in their order; each may have another number of them.
template <class T>
std::vector<T> gather(Ranks* ranks, std::vector<T> own) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (!ranks) return own;
  const std::vector<std::uint64_t> counts = gather_one(ranks, std::uint64_t{own.size()});
  std::uint64_t sum = 0;
  for (const std::uint64_t count : counts) sum += count;
  std::vector<T> all(sum);
  std::vector<std::span<std::byte>> room;
  T* next = all.data();
  for (const std::uint64_t count : counts) {
    room.push_back(std::as_writable_bytes(std::span(next, count)));
    next += count;
  }
  gather_bytes(*ranks, std::as_bytes(std::span(own)), room);
  return all;
}

/// The sum over the ranks of each number, as many on all; integers alone, whose sums do not depend
/// on their order.
std::vector<std::uint64_t> sum_over(Ranks* ranks, std::vector<std::uint64_t> own);
std::uint64_t sum_over(Ranks* ranks, std::uint64_t own);
Index count_over(Ranks* ranks, Index own);

/// True if it is on any rank.
bool any_of(Ranks* ranks, bool own);
/// The least over the ranks.
std::int64_t least_of(Ranks* ranks, std::int64_t own);

/// Runs `body` on `size` threads, each with its rank. An exception ends the others at their next
/// exchange; the first one thrown leaves this function, when all have ended.
void run_ranks(int size, const std::function<void(Ranks&)>& body);

/// Threads that are ranks beside the one that makes the team, which is rank 0: they do the jobs
/// that it gives them.
class RankTeam {
 public:
  /// Throws SystemError if the system has no more threads.
  explicit RankTeam(int size);
  /// The threads end after their jobs, or at their next exchange.
  ~RankTeam();

  Ranks& own();

  /// Begins a job on all other ranks; the one before has ended. A job that throws InputError has
  /// ended: it is one of those that all ranks throw. After any other exception its rank has ended.
  void begin(std::function<void(Ranks&)> job);
  /// Waits for the end of the job on all ranks that have not ended. Ranks that wait for rank 0 in
  /// an exchange then end with an error: it has made other calls.
  void finish();
  /// Throws SystemError if a rank has ended.
  void check();

 private:
  struct Shared;
  std::unique_ptr<Shared> shared_;
};

}  // namespace mote::engine
