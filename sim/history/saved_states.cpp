#include "sim/history/saved_states.h"

#include <algorithm>
#include <new>
#include <utility>

#include "engine/check.h"
#include "engine/log.h"

namespace mote::sim {
namespace {

constexpr std::size_t max_seek_states = 16;

std::uint64_t states_in(std::uint64_t budget, std::uint64_t bytes_each) {
  return std::clamp<std::uint64_t>(budget / std::max<std::uint64_t>(1, bytes_each), 1,
                                   SavedStates::max_states);
}

}  // namespace

SavedStates::SavedStates(std::uint64_t budget, std::uint64_t bytes_each, std::uint64_t interval,
                         Entry first)
    : budget_(budget),
      bytes_each_(bytes_each),
      capacity_(states_in(budget, bytes_each)),
      min_interval_(std::max<std::uint64_t>(1, interval)),
      interval_(min_interval_) {
  entries_.push_back(std::move(first));
}

void SavedStates::save_on_grid(std::uint64_t step, std::size_t edits, const Make& make) {
  if (Entry* saved = find(step)) {
    if (saved->kind == Kind::seek && step % interval_ == 0) saved->kind = Kind::grid;
    return;
  }
  while (step % interval_ == 0 && full())
    if (!make_room()) return;
  if (step % interval_ == 0) insert(step, edits, Kind::grid, make);
}

void SavedStates::save_before_edit(std::uint64_t step, std::size_t edits, const Make& make) {
  if (Entry* saved = find(step)) {
    if (step != entries_.front().step()) saved->kind = Kind::before_edit;
    return limit_edits();
  }
  while (full())
    if (!make_room()) return;
  insert(step, edits, Kind::before_edit, make);
  limit_edits();
}

void SavedStates::save_for_seek(std::uint64_t step, std::size_t edits, const Make& make) {
  if (at(step)) return;
  if (reserved() == 0) return;
  // Drop the one furthest from here: it is the least useful for the next seek.
  if (count(Kind::seek) >= reserved()) {
    const auto distance = [&](const Entry& e) {
      return std::max(e.step(), step) - std::min(e.step(), step);
    };
    const Entry* furthest = earliest(Kind::seek);
    for (const Entry& e : entries_)
      if (e.kind == Kind::seek && distance(e) > distance(*furthest)) furthest = &e;
    drop([dropped = furthest->step()](const Entry& e) { return e.step() == dropped; });
  }
  insert(step, edits, Kind::seek, make);
}

std::size_t SavedStates::first_after(std::uint64_t step) const {
  return static_cast<std::size_t>(
      std::upper_bound(entries_.begin(), entries_.end(), step,
                       [](std::uint64_t s, const Entry& e) { return s < e.step(); }) -
      entries_.begin());
}

const SavedStates::Entry& SavedStates::nearest(std::uint64_t step) const {
  const std::size_t next = first_after(step);
  return entries_[next == 0 ? 0 : next - 1];
}

const SavedStates::Entry* SavedStates::at(std::uint64_t step) const {
  const Entry& entry = nearest(step);
  return entry.step() == step ? &entry : nullptr;
}

SavedStates::Entry* SavedStates::find(std::uint64_t step) {
  return const_cast<Entry*>(std::as_const(*this).at(step));
}

void SavedStates::adapt(std::uint64_t bytes_each, std::uint64_t interval) {
  min_interval_ = std::min(min_interval_, std::max<std::uint64_t>(1, interval));
  if (!full()) interval_ = std::min(interval_, min_interval_);
  if (bytes_each <= bytes_each_) return;
  bytes_each_ = bytes_each;
  capacity_ = std::min(capacity_, states_in(budget_, bytes_each));
  while (count(Kind::seek) > reserved())
    drop([dropped = earliest(Kind::seek)->step()](const Entry& e) { return e.step() == dropped; });
  while (entries_.size() > capacity_ && make_room()) {
  }
}

std::uint64_t SavedStates::bytes() const {
  std::uint64_t sum = 0;
  for (const Entry& e : entries_) sum += e.state->bytes;
  return sum;
}

void SavedStates::discard_after(std::uint64_t step) {
  drop([step](const Entry& e) { return e.step() > step; });
  if (capacity_ < 2) return;
  const std::uint64_t reached = step - std::min(step, entries_.front().step());
  interval_ = min_interval_;
  while (reached / interval_ + 1 > (capacity_ - reserved()) / 2) interval_ *= 2;
}

std::vector<std::uint64_t> SavedStates::steps() const {
  std::vector<std::uint64_t> all;
  for (const Entry& e : entries_) all.push_back(e.step());
  return all;
}

void SavedStates::insert(std::uint64_t step, std::size_t edits, Kind kind, const Make& make) {
  try {
    Entry entry{make(), edits, kind};
    MOTE_EXPECT(entry.step() == step);
    entries_.insert(entries_.begin() + static_cast<std::ptrdiff_t>(first_after(step)),
                    std::move(entry));
    return;
  } catch (const engine::SystemError& e) {
    engine::log().warn("no more states are saved for rewinding: {}", e.what());
  } catch (const std::bad_alloc&) {
    engine::log().warn("no more states are saved for rewinding: out of memory");
  }
  drop([](const Entry& e) { return e.kind == Kind::seek; });
  capacity_ = entries_.size();
}

std::uint64_t SavedStates::reserved() const {
  return std::min<std::uint64_t>(max_seek_states, capacity_ / 4);
}

bool SavedStates::full() const {
  return entries_.size() - count(Kind::seek) >= capacity_ - reserved();
}

/// Drops the least useful states; false when none may be dropped. A call may only double the
/// interval without dropping any; the next one then does.
bool SavedStates::make_room() {
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

/// Dragging a slider during a run makes an edit at every step: the earliest such states lose their
/// kind.
void SavedStates::limit_edits() {
  while (count(Kind::before_edit) > capacity_ / 2) {
    earliest(Kind::before_edit)->kind = Kind::grid;
    drop([this](const Entry& e) { return off_grid(e); });
  }
}

/// Never drops the first state.
void SavedStates::drop(const std::function<bool(const Entry&)>& which) {
  entries_.erase(std::remove_if(entries_.begin() + 1, entries_.end(), which), entries_.end());
}

std::size_t SavedStates::count(Kind kind) const {
  return static_cast<std::size_t>(std::count_if(entries_.begin(), entries_.end(),
                                                [kind](const Entry& e) { return e.kind == kind; }));
}

SavedStates::Entry* SavedStates::earliest(Kind kind) {
  for (Entry& e : entries_)
    if (e.kind == kind) return &e;
  return nullptr;
}

}  // namespace mote::sim
