#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

namespace mote::engine {

/// Runs several jobs in lockstep, each written as if it were alone. Every job has its own thread,
/// and one thread runs at a time, in the order of the jobs, so that jobs need no locks. When all
/// jobs have reached a rendezvous, the last one does their joint work: small systems step on a GPU
/// in batches this way.
class Lockstep {
 public:
  /// Base of a job's input to the joint work, and of its result.
  struct Part {};
  using Work = std::function<void(std::span<Part* const>)>;

  /// Runs all jobs; returns when all have finished. Jobs must not throw. Not to be called from a
  /// job. Each job logs to its own channel (LogChannel).
  void run(const std::vector<std::function<void()>>& jobs);

  /// Number of jobs of the current run.
  std::size_t jobs() const { return members_.size(); }

  /// To be called from a job: waits until every other job has called it too or has finished. Then
  /// `work` is called once, with the parts of all waiting jobs in the order of the jobs; all `work`
  /// arguments must be equivalent. An exception is rethrown in every waiting job.
  void rendezvous(Part& part, const Work& work);

 private:
  enum class Status { ready, waiting, done };
  struct Member {
    Status status = Status::ready;
    Part* part = nullptr;
    const Work* work = nullptr;
    std::exception_ptr failure;
    std::condition_variable turn;
  };

  std::size_t run_some(std::span<const std::function<void()>> jobs);
  void run_job(std::size_t member, const std::function<void()>& job);
  void await_turn(std::unique_lock<std::mutex>& lock, std::size_t member);
  void pass_turn(std::size_t from);
  void do_joint_work();

  std::mutex mutex_;
  std::deque<Member> members_;
  std::size_t running_ = 0;  ///< member whose turn it is; members_.size() when all are done
};

}  // namespace mote::engine
