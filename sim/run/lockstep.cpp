#include "sim/run/lockstep.h"

#include <system_error>
#include <thread>
#include <utility>

#include "engine/log.h"

namespace mote::sim {

void Lockstep::await_turn(std::unique_lock<std::mutex>& lock, std::size_t member) {
  members_[member].turn.wait(lock, [&] { return running_ == member; });
}

/// Gives the turn to the next job behind `from`, around the corner too, that can go on. Where all
/// who are left wait, that is after their work was done.
void Lockstep::pass_on(std::size_t from) {
  const std::size_t n = members_.size();
  bool ready = false, waiting = false;
  for (const Member& m : members_) {
    ready = ready || m.stands == Stands::ready;
    waiting = waiting || m.stands == Stands::waits;
  }
  if (!ready && waiting) {
    act_for_all();
    from = n - 1;
  }
  running_ = n;
  for (std::size_t k = 1; k <= n && running_ == n; ++k)
    if (members_[(from + k) % n].stands == Stands::ready) running_ = (from + k) % n;
  if (running_ < n) members_[running_].turn.notify_one();
}

void Lockstep::act_for_all() {
  std::vector<Part*> parts;
  const Act* act = nullptr;
  for (const Member& m : members_) {
    if (m.stands != Stands::waits) continue;
    parts.push_back(m.part);
    act = m.act;
  }
  std::exception_ptr failure;
  try {
    (*act)(parts);
  } catch (...) {
    failure = std::current_exception();
  }
  for (Member& m : members_) {
    if (m.stands != Stands::waits) continue;
    m.stands = Stands::ready;
    m.failure = failure;
  }
}

void Lockstep::meet(Part& part, const Act& act) {
  std::unique_lock lock(mutex_);
  const std::size_t own = running_;
  Member& me = members_[own];
  me.part = &part;
  me.act = &act;
  me.stands = Stands::waits;
  pass_on(own);
  await_turn(lock, own);
  if (me.failure) std::rethrow_exception(std::exchange(me.failure, nullptr));
}

void Lockstep::live(std::size_t member, const std::function<void()>& job) {
  const engine::LogChannel channel(static_cast<int>(member) + 1);
  {
    std::unique_lock lock(mutex_);
    await_turn(lock, member);
  }
  job();
  const std::lock_guard lock(mutex_);
  members_[member].stands = Stands::done;
  pass_on(member);
}

/// As many of the first ones as there can be threads for. Returns how many.
std::size_t Lockstep::run_some(std::span<const std::function<void()>> jobs) {
  std::vector<std::thread> threads;
  {
    const std::lock_guard lock(mutex_);  // nobody begins before all are there
    members_.clear();
    members_.resize(jobs.size());
    running_ = 0;
    try {
      for (std::size_t k = 0; k < jobs.size(); ++k)
        threads.emplace_back([this, k, &jobs] { live(k, jobs[k]); });
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

}  // namespace mote::sim
