#include "engine/exec/ranks.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace mote::engine {
namespace {

std::uint64_t bytes_between(std::span<const Ranks::Outgoing> messages, int rank) {
  std::uint64_t sum = 0;
  for (const auto& message : messages)
    if (message.to != rank) sum += message.bytes.size();
  return sum;
}
std::uint64_t bytes_between(std::span<const Ranks::Incoming> messages, int rank) {
  std::uint64_t sum = 0;
  for (const auto& message : messages)
    if (message.from != rank) sum += message.bytes.size();
  return sum;
}

}  // namespace

/// Ranks that are threads of this process.
namespace thread_ranks {

/// The barrier of the threads, and the messages of the present exchange.
class Barrier {
 public:
  explicit Barrier(int size)
      : left_(static_cast<std::size_t>(size)),
        idle_(static_cast<std::size_t>(size)),
        sent_(static_cast<std::size_t>(size)) {}

  int size() const { return static_cast<int>(sent_.size()); }
  std::span<const Ranks::Outgoing>& sent(int rank) { return sent_[static_cast<std::size_t>(rank)]; }

  /// Returns when all ranks have called it as often. Throws when a rank has ended, or has no job
  /// while others wait for it: after all others have arrived, so that none still reads what another
  /// frees.
  void wait_for_all() {
    std::unique_lock lock(mutex_);
    const std::uint64_t round = round_;
    ++waiting_;
    end_round_if_all();
    if (round_ == round) {
      // The others are often near: a thread that sleeps takes longer to wake than they to arrive.
      lock.unlock();
      for (int k = 0; k < tries_before_sleep && round_ == round; ++k) std::this_thread::yield();
      lock.lock();
      changed_.wait(lock, [&] { return round_ != round; });
    }
    if (broken_) throw SystemError("exchange data between ranks", reason_, "see its error");
  }

  /// A rank has ended, with an error or null. The first error is kept.
  void leave(int rank, std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (left_[static_cast<std::size_t>(rank)]) return;
    left_[static_cast<std::size_t>(rank)] = true;
    if (idle_[static_cast<std::size_t>(rank)])
      idle_[static_cast<std::size_t>(rank)] = false, --idle_ranks_;
    if (error && !error_) error_ = std::move(error);
    if (gone_++ == 0) first_gone_ = rank;
    end_round_if_all();
  }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }
  /// A rank has no job, and takes no part in exchanges until it has one.
  void set_idle(int rank, bool idle) {
    const std::lock_guard lock(mutex_);
    if (idle_[static_cast<std::size_t>(rank)] == idle) return;
    idle_[static_cast<std::size_t>(rank)] = idle;
    idle_ranks_ += idle ? 1 : -1;
    end_round_if_all();
  }
  /// Throws SystemError if a rank has ended.
  void check() {
    const std::lock_guard lock(mutex_);
    if (gone_ > 0) throw SystemError("go on with all ranks", gone_text(), "see its error");
  }
  bool has_gone(int rank) {
    const std::lock_guard lock(mutex_);
    return left_[static_cast<std::size_t>(rank)];
  }

 private:
  /// Says which rank has ended, with its error if it had one.
  std::string gone_text() const {
    std::string text = "rank " + std::to_string(first_gone_) + " has ended";
    try {
      rethrow();
    } catch (const std::exception& error) {
      text += std::string(": ") + error.what();
    } catch (...) {
    }
    return text;
  }
  void end_round_if_all() {
    if (waiting_ == 0 || waiting_ + gone_ + idle_ranks_ < size()) return;
    broken_ = waiting_ < size();
    if (broken_) reason_ = gone_ > 0 ? gone_text() : "another rank makes other calls";
    waiting_ = 0, ++round_;
    changed_.notify_all();
  }

  static constexpr int tries_before_sleep = 200;  ///< about 50 us

  std::mutex mutex_;
  std::condition_variable changed_;
  int waiting_ = 0, gone_ = 0, first_gone_ = 0, idle_ranks_ = 0;
  std::string reason_;                    ///< why the last round ended without all ranks
  std::atomic<std::uint64_t> round_ = 0;  ///< changed under the mutex
  bool broken_ = false;                   ///< the last round ended without all ranks
  std::exception_ptr error_;
  std::vector<bool> left_, idle_;                       ///< by rank
  std::vector<std::span<const Ranks::Outgoing>> sent_;  ///< by rank, in the present exchange
};

/// A rank that is a thread: it reads what the others send where they have it.
class ThreadRank final : public Ranks {
 public:
  ThreadRank(Barrier& barrier, int rank) : barrier_(barrier), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return barrier_.size(); }
  bool share_memory() const override { return true; }

 protected:
  void do_exchange(std::span<const Outgoing> send, std::span<const Incoming> receive) override {
    barrier_.sent(rank_) = send;
    barrier_.wait_for_all();
    bool expected = true;
    std::vector<std::size_t> read(static_cast<std::size_t>(size()));  // of the messages of a rank
    const auto next_from = [&](int from) {
      const auto messages = barrier_.sent(from);
      std::size_t& next = read[static_cast<std::size_t>(from)];
      while (next < messages.size() && messages[next].to != rank_) ++next;
      return next < messages.size() ? &messages[next++] : nullptr;
    };
    for (const Incoming& message : receive) {
      const Outgoing* const sent = next_from(message.from);
      if (!sent || sent->bytes.size() != message.bytes.size())
        expected = false;
      else if (!message.bytes.empty())
        std::memcpy(message.bytes.data(), sent->bytes.data(), message.bytes.size());
    }
    for (int from = 0; from < size(); ++from) expected = expected && !next_from(from);
    barrier_.wait_for_all();  // before any rank overwrites what it has sent
    if (!expected)
      throw SystemError(
          "exchange data between ranks",
          "the messages of another are not those expected by rank " + std::to_string(rank_),
          "all ranks make the same calls in the same order");
  }

 private:
  Barrier& barrier_;
  int rank_;
};

}  // namespace thread_ranks

using thread_ranks::Barrier;
using thread_ranks::ThreadRank;

void Ranks::exchange(std::span<const Outgoing> send, std::span<const Incoming> receive) {
  do_exchange(send, receive);
  sent_ += bytes_between(send, rank());
  received_ += bytes_between(receive, rank());
}

Range common(const Range& a, const Range& b) {
  const Index begin = std::max(a.begin, b.begin);
  return {begin, std::max(begin, std::min(a.end, b.end))};
}

Range share_of(Index count, int rank, int size, Index multiple) {
  const auto border = [&](int r) {
    return r == size ? count : count * r / size / multiple * multiple;
  };
  return {border(rank), border(rank + 1)};
}

Range own_share(const Ranks* ranks, Index count, Index multiple) {
  return ranks ? share_of(count, ranks->rank(), ranks->size(), multiple) : Range{0, count};
}

void gather_bytes(Ranks& ranks, std::span<const std::byte> own,
                  const std::vector<std::span<std::byte>>& room) {
  std::vector<Ranks::Outgoing> outgoing;
  std::vector<Ranks::Incoming> incoming;
  for (int rank = 0; rank < ranks.size(); ++rank) {
    outgoing.push_back({rank, own});
    incoming.push_back({rank, room[static_cast<std::size_t>(rank)]});
  }
  ranks.exchange(outgoing, incoming);
}

std::vector<std::uint64_t> sum_over(Ranks* ranks, std::vector<std::uint64_t> own) {
  if (!ranks) return own;
  const std::size_t count = own.size();
  const std::vector<std::uint64_t> all = gather(ranks, std::move(own));
  MOTE_EXPECT(all.size() == count * static_cast<std::size_t>(ranks->size()));
  std::vector<std::uint64_t> sums(count);
  for (std::size_t k = 0; k < all.size(); ++k) sums[k % count] += all[k];
  return sums;
}

std::uint64_t sum_over(Ranks* ranks, std::uint64_t own) {
  std::uint64_t sum = 0;
  for (const std::uint64_t value : gather_one(ranks, own)) sum += value;
  return sum;
}

Index count_over(Ranks* ranks, Index own) {
  return static_cast<Index>(sum_over(ranks, static_cast<std::uint64_t>(own)));
}

bool any_of(Ranks* ranks, bool own) {
  return ranks ? sum_over(ranks, std::uint64_t{own}) > 0 : own;
}

std::int64_t least_of(Ranks* ranks, std::int64_t own) {
  const std::vector<std::int64_t> all = gather_one(ranks, own);
  return *std::min_element(all.begin(), all.end());
}

void run_ranks(int size, const std::function<void(Ranks&)>& body) {
  MOTE_EXPECT(size > 0);
  Barrier barrier(size);
  const auto run = [&](int rank) {
    ThreadRank own(barrier, rank);
    try {
      body(own);
      barrier.leave(rank, nullptr);
    } catch (...) {
      barrier.leave(rank, std::current_exception());
    }
  };
  std::vector<std::thread> others;
  for (int rank = 1; rank < size; ++rank) {
    try {
      others.emplace_back(run, rank);
    } catch (...) {  // no more threads
      barrier.leave(rank, std::current_exception());
    }
  }
  run(0);
  for (std::thread& other : others) other.join();
  barrier.rethrow();
}

struct RankTeam::Shared {
  explicit Shared(int size) : barrier(size), own(barrier, 0) {}

  /// Runs jobs on a thread until the team ends.
  void work(int rank) {
    ThreadRank ranks(barrier, rank);
    for (std::uint64_t done = 0;;) {
      std::function<void(Ranks&)> next;
      {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return ends || begun > done; });
        if (ends) return;
        next = job;
      }
      try {
        next(ranks);
      } catch (const InputError&) {
      } catch (...) {
        barrier.leave(rank, std::current_exception());
      }
      if (!barrier.has_gone(rank)) barrier.set_idle(rank, true);
      const std::lock_guard lock(mutex);
      ++done, --running;
      if (barrier.has_gone(rank)) --present;
      changed.notify_all();
      if (barrier.has_gone(rank)) return;
    }
  }

  Barrier barrier;
  ThreadRank own;
  std::mutex mutex;
  std::condition_variable changed;
  std::function<void(Ranks&)> job;
  std::uint64_t begun = 0;       ///< jobs
  int present = 0, running = 0;  ///< threads that have not ended, and those with the job
  bool ends = false;
  std::vector<std::thread> threads;
};

RankTeam::RankTeam(int size) : shared_(std::make_unique<Shared>(size)) {
  try {
    for (int rank = 1; rank < size; ++rank)
      shared_->threads.emplace_back([shared = shared_.get(), rank] { shared->work(rank); });
  } catch (const std::exception& error) {
    const auto started = std::exchange(shared_, nullptr);
    {
      const std::lock_guard lock(started->mutex);
      started->ends = true;
    }
    started->changed.notify_all();
    for (std::thread& thread : started->threads) thread.join();
    throw SystemError("start a thread for each rank", error.what(), "use fewer ranks");
  }
  shared_->present = size - 1;
}

RankTeam::~RankTeam() {
  shared_->barrier.leave(0, nullptr);
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->ends = true;
  }
  shared_->changed.notify_all();
  for (std::thread& thread : shared_->threads) thread.join();
}

Ranks& RankTeam::own() {
  return shared_->own;
}

void RankTeam::begin(std::function<void(Ranks&)> job) {
  const std::lock_guard lock(shared_->mutex);
  MOTE_EXPECT(shared_->running == 0);
  for (int rank = 0; rank < shared_->barrier.size(); ++rank) shared_->barrier.set_idle(rank, false);
  shared_->job = std::move(job);
  ++shared_->begun;
  shared_->running = shared_->present;
  shared_->changed.notify_all();
}

void RankTeam::finish() {
  shared_->barrier.set_idle(0, true);
  std::unique_lock lock(shared_->mutex);
  shared_->changed.wait(lock, [&] { return shared_->running == 0; });
  shared_->job = nullptr;
}

void RankTeam::check() {
  shared_->barrier.check();
}

}  // namespace mote::engine
