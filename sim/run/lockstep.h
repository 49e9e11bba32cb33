#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

namespace mote::sim {

/// Lets several jobs do some of their work together, each written as if it were alone: every job
/// has a thread of its own, of which one at a time runs while the others wait for their turn (in
/// the order of the jobs), so that jobs need no locks between them. Where all have come to the
/// point at which they have to wait for the same kind of work, the last one does it for all. Small
/// systems step on a GPU this way.
class Lockstep {
 public:
  /// What a job brings to the work that is done together.
  struct Part {};
  using Act = std::function<void(std::span<Part* const>)>;

  /// Calls every job; returns when all have ended. Jobs do not throw. Not from within a job. What
  /// they log goes to the files that they themselves have opened for it (engine::LogChannel).
  void run(const std::vector<std::function<void()>>& jobs);

  /// Jobs of the present run.
  std::size_t jobs() const { return members_.size(); }

  /// From within a job: waits until every other job has come here too or has ended; then `act` of
  /// whoever came last is called with the parts of all who wait, in the order of the jobs. All acts
  /// mean the same. What it throws is thrown to all of them.
  void meet(Part& part, const Act& act);

 private:
  enum class Stands { ready, waits, done };
  struct Member {
    Stands stands = Stands::ready;
    Part* part = nullptr;
    const Act* act = nullptr;
    std::exception_ptr failure;
    std::condition_variable turn;
  };

  std::size_t run_some(std::span<const std::function<void()>> jobs);
  void live(std::size_t member, const std::function<void()>& job);
  void await_turn(std::unique_lock<std::mutex>& lock, std::size_t member);
  void pass_on(std::size_t from);
  void act_for_all();

  std::mutex mutex_;
  std::deque<Member> members_;
  std::size_t running_ = 0;  ///< whose turn it is; as many as there are members when all are done
};

}  // namespace mote::sim
