#include "engine/exec/lockstep.h"

#include <system_error>
#include <thread>
#include <utility>

#include "engine/log.h"

namespace mote::engine {

void Lockstep::await_turn(std::unique_lock<std::mutex>& lock, std::size_t member) {
  members_[member].turn.wait(lock, [&] { return running_ == member; });
}

/// Passes the turn to the next ready job after `from`, cyclically. If all remaining jobs wait, does
/// their joint work first.
void Lockstep::pass_turn(std::size_t from) {
  const std::size_t n = members_.size();
  bool ready = false, waiting = false;
  for (const Member& m : members_) {
    ready = ready || m.status == Status::ready;
    waiting = waiting || m.status == Status::waiting;
  }
  if (!ready && waiting) {
    do_joint_work();
    from = n - 1;
  }
  running_ = n;
  for (std::size_t k = 1; k <= n && running_ == n; ++k)
    if (members_[(from + k) % n].status == Status::ready) running_ = (from + k) % n;
  if (running_ < n) members_[running_].turn.notify_one();
}

void Lockstep::do_joint_work() {
  std::vector<Part*> parts;
  const Work* work = nullptr;
  for (const Member& m : members_) {
    if (m.status != Status::waiting) continue;
    parts.push_back(m.part);
    work = m.work;
  }
  std::exception_ptr failure;
  try {
    (*work)(parts);
  } catch (...) {
    failure = std::current_exception();
  }
  for (Member& m : members_) {
    if (m.status != Status::waiting) continue;
    m.status = Status::ready;
    m.failure = failure;
  }
}

void Lockstep::rendezvous(Part& part, const Work& work) {
  std::unique_lock lock(mutex_);
  const std::size_t own = running_;
  Member& self = members_[own];
  self.part = &part;
  self.work = &work;
  self.status = Status::waiting;
  pass_turn(own);
  await_turn(lock, own);
  if (self.failure) std::rethrow_exception(std::exchange(self.failure, nullptr));
}

void Lockstep::run_job(std::size_t member, const std::function<void()>& job) {
  const LogChannel channel(static_cast<int>(member) + 1);
  {
    std::unique_lock lock(mutex_);
    await_turn(lock, member);
  }
  job();
  const std::lock_guard lock(mutex_);
  members_[member].status = Status::done;
  pass_turn(member);
}

/// Runs the first jobs, as many as threads can be created for. Returns how many.
std::size_t Lockstep::run_some(std::span<const std::function<void()>> jobs) {
  std::vector<std::thread> threads;
  {
    const std::lock_guard lock(mutex_);  // no job starts before all threads exist
    members_.clear();
    members_.resize(jobs.size());
    running_ = 0;
    try {
      for (std::size_t k = 0; k < jobs.size(); ++k)
        threads.emplace_back([this, k, &jobs] { run_job(k, jobs[k]); });
    } catch (const std::system_error&) {
      if (threads.empty()) throw;
      members_.resize(threads.size());
    }
  }
  for (std::thread& thread : threads) thread.join();
  return threads.size();
}

void Lockstep::run(const std::vector<std::function<void()>>& jobs) {
  for (std::size_t done = 0; done < jobs.size();) done += run_some(std::span(jobs).subspan(done));
}

}  // namespace mote::engine
