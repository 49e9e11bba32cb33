#include "sim/run/kept_states.h"

#include <algorithm>
#include <new>
#include <utility>

#include "engine/check.h"
#include "engine/log.h"

namespace mote::sim {
namespace {

constexpr std::size_t most_near = 16;

std::uint64_t states_in(std::uint64_t budget, std::uint64_t bytes_each) {
  return std::clamp<std::uint64_t>(budget / std::max<std::uint64_t>(1, bytes_each), 1,
                                   KeptStates::most);
}

}  // namespace

KeptStates::KeptStates(std::uint64_t budget, std::uint64_t bytes_each, std::uint64_t interval,
                       Entry first)
    : budget_(budget),
      bytes_each_(bytes_each),
      capacity_(states_in(budget, bytes_each)),
      first_interval_(std::max<std::uint64_t>(1, interval)),
      interval_(first_interval_) {
  entries_.push_back(std::move(first));
}

void KeptStates::keep_on_grid(std::uint64_t step, std::size_t edits, const Make& make) {
  if (Entry* kept = find(step)) {
    if (kept->kind == Kind::near && step % interval_ == 0) kept->kind = Kind::grid;
    return;
  }
  while (step % interval_ == 0 && full())
    if (!thin()) return;
  if (step % interval_ == 0) insert(step, edits, Kind::grid, make);
}

void KeptStates::keep_before_edit(std::uint64_t step, std::size_t edits, const Make& make) {
  if (Entry* kept = find(step)) {
    if (step != entries_.front().step()) kept->kind = Kind::before_edit;
    return limit_edits();
  }
  while (full())
    if (!thin()) return;
  insert(step, edits, Kind::before_edit, make);
  limit_edits();
}

void KeptStates::keep_near(std::uint64_t step, std::size_t edits, const Make& make) {
  if (at(step)) return;
  if (reserve() == 0) return;
  // The one that is furthest from here is of least use for the next search.
  if (count(Kind::near) >= reserve()) {
    const auto away = [&](const Entry& e) {
      return std::max(e.step(), step) - std::min(e.step(), step);
    };
    const Entry* furthest = earliest(Kind::near);
    for (const Entry& e : entries_)
      if (e.kind == Kind::near && away(e) > away(*furthest)) furthest = &e;
    drop([gone = furthest->step()](const Entry& e) { return e.step() == gone; });
  }
  insert(step, edits, Kind::near, make);
}

std::size_t KeptStates::behind(std::uint64_t step) const {
  return static_cast<std::size_t>(
      std::upper_bound(entries_.begin(), entries_.end(), step,
                       [](std::uint64_t s, const Entry& e) { return s < e.step(); }) -
      entries_.begin());
}

const KeptStates::Entry& KeptStates::nearest(std::uint64_t step) const {
  const std::size_t next = behind(step);
  return entries_[next == 0 ? 0 : next - 1];
}

const KeptStates::Entry* KeptStates::at(std::uint64_t step) const {
  const Entry& entry = nearest(step);
  return entry.step() == step ? &entry : nullptr;
}

KeptStates::Entry* KeptStates::find(std::uint64_t step) {
  return const_cast<Entry*>(std::as_const(*this).at(step));
}

void KeptStates::fit(std::uint64_t bytes_each, std::uint64_t interval) {
  first_interval_ = std::min(first_interval_, std::max<std::uint64_t>(1, interval));
  if (!full()) interval_ = std::min(interval_, first_interval_);
  if (bytes_each <= bytes_each_) return;
  bytes_each_ = bytes_each;
  capacity_ = std::min(capacity_, states_in(budget_, bytes_each));
  while (count(Kind::near) > reserve())
    drop([gone = earliest(Kind::near)->step()](const Entry& e) { return e.step() == gone; });
  while (entries_.size() > capacity_ && thin()) {
  }
}

std::uint64_t KeptStates::bytes() const {
  std::uint64_t sum = 0;
  for (const Entry& e : entries_) sum += e.state->bytes;
  return sum;
}

void KeptStates::drop_behind(std::uint64_t step) {
  drop([step](const Entry& e) { return e.step() > step; });
  if (capacity_ < 2) return;
  const std::uint64_t reached = step - std::min(step, entries_.front().step());
  interval_ = first_interval_;
  while (reached / interval_ + 1 > (capacity_ - reserve()) / 2) interval_ *= 2;
}

std::vector<std::uint64_t> KeptStates::steps() const {
  std::vector<std::uint64_t> all;
  for (const Entry& e : entries_) all.push_back(e.step());
  return all;
}

void KeptStates::insert(std::uint64_t step, std::size_t edits, Kind kind, const Make& make) {
  try {
    Entry entry{make(), edits, kind};
    MOTE_EXPECT(entry.step() == step);
    entries_.insert(entries_.begin() + static_cast<std::ptrdiff_t>(behind(step)), std::move(entry));
    return;
  } catch (const engine::SystemError& e) {
    engine::log().warn("the past keeps no more states: {}", e.what());
  } catch (const std::bad_alloc&) {
    engine::log().warn("the past keeps no more states: out of memory");
  }
  drop([](const Entry& e) { return e.kind == Kind::near; });
  capacity_ = entries_.size();
}

std::uint64_t KeptStates::reserve() const {
  return std::min<std::uint64_t>(most_near, capacity_ / 4);
}

bool KeptStates::full() const {
  return entries_.size() - count(Kind::near) >= capacity_ - reserve();
}

/// Lets go of what is needed least; false when nothing may go. A call may leave all as it is and
/// only double the interval: the next one finds more.
bool KeptStates::thin() {
  if (count(Kind::grid) > 1) {
    interval_ *= 2;
    drop([this](const Entry& e) { return off_grid(e); });
  } else if (Entry* edit = earliest(Kind::before_edit)) {
    edit->kind = Kind::grid;
    drop([this](const Entry& e) { return off_grid(e); });
  } else {
    return false;
  }
  return true;
}

/// Someone who draws a slider while time runs makes an edit at every step: the earliest states give
/// way.
void KeptStates::limit_edits() {
  while (count(Kind::before_edit) > capacity_ / 2) {
    earliest(Kind::before_edit)->kind = Kind::grid;
    drop([this](const Entry& e) { return off_grid(e); });
  }
}

/// Never the first one.
void KeptStates::drop(const std::function<bool(const Entry&)>& which) {
  entries_.erase(std::remove_if(entries_.begin() + 1, entries_.end(), which), entries_.end());
}

std::size_t KeptStates::count(Kind kind) const {
  return static_cast<std::size_t>(std::count_if(entries_.begin(), entries_.end(),
                                                [kind](const Entry& e) { return e.kind == kind; }));
}

KeptStates::Entry* KeptStates::earliest(Kind kind) {
  for (Entry& e : entries_)
    if (e.kind == kind) return &e;
  return nullptr;
}

}  // namespace mote::sim
