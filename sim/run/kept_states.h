#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "sim/run/schedule.h"
#include "sim/run/simulation.h"

namespace mote::sim {

/// States of the past within a budget of memory, in the order of their steps. The first one stays.
/// Of the others there are three kinds:
/// - on the grid: at multiples of interval(), which doubles whenever the budget is full; then every
/// second goes;
/// - before an edit: the state as it was when a parameter was changed. Half of the budget at most;
/// - near: left behind by a search for a step in the past, for the next one, which will be close
/// by. A quarter of the
///   budget is for them, at most 16.
/// What is kept follows from steps and edits alone, never from the clock or from how steps were
/// sliced.
class KeptStates {
 public:
  using Make = std::function<std::unique_ptr<KeptState>()>;
  enum class Kind { grid, before_edit, near };
  struct Entry {
    std::unique_ptr<KeptState> state;
    std::size_t edits;  ///< how many edits of the history the state has in it
    Kind kind;
    std::uint64_t step() const { return state->step(); }
  };

  /// So many states do for any timeline, however small they are: allocations of a GPU are pages,
  /// not bytes.
  static constexpr std::uint64_t most = 2048;

  /// `first`: of the first state, which is always kept; `interval`: the smallest distance of grid
  /// states.
  KeptStates(std::uint64_t budget, std::uint64_t bytes_each, std::uint64_t interval, Entry first);

  /// Each of these keeps what `make` makes, unless there is a state of this step already or no room
  /// for one more. Room is made before, so that memory never holds more than the budget. When
  /// `make` runs out of memory, the states that are there become the budget.
  void keep_on_grid(std::uint64_t step, std::size_t edits, const Make& make);
  void keep_before_edit(std::uint64_t step, std::size_t edits, const Make& make);
  void keep_near(std::uint64_t step, std::size_t edits, const Make& make);

  /// The latest at or before a step; the first one if there is none.
  const Entry& nearest(std::uint64_t step) const;
  /// Null when none is kept at exactly this step.
  const Entry* at(std::uint64_t step) const;

  /// From now on states take so many bytes, and should not be further apart than this where there
  /// is room. What is kept stays within the budget as if all states took as much as the largest so
  /// far.
  void fit(std::uint64_t bytes_each, std::uint64_t interval);

  /// Forgets all behind a step, and goes back to the interval of a run that gets no further.
  void drop_behind(std::uint64_t step);

  std::uint64_t interval() const { return interval_; }
  std::uint64_t least_interval() const { return first_interval_; }
  /// The first step behind `step` that is on the grid; `never` where nothing but the first state
  /// fits.
  std::uint64_t next(std::uint64_t step) const {
    return capacity_ < 2 ? never : (step / interval_ + 1) * interval_;
  }
  std::vector<std::uint64_t> steps() const;
  std::uint64_t bytes() const;

 private:
  std::size_t behind(std::uint64_t step) const;
  Entry* find(std::uint64_t step);
  void insert(std::uint64_t step, std::size_t edits, Kind kind, const Make& make);
  std::uint64_t reserve() const;
  bool full() const;
  bool thin();
  void limit_edits();
  void drop(const std::function<bool(const Entry&)>& which);
  std::size_t count(Kind kind) const;
  Entry* earliest(Kind kind);
  bool off_grid(const Entry& entry) const {
    return entry.kind == Kind::grid && entry.step() % interval_ != 0;
  }

  std::uint64_t budget_, bytes_each_, capacity_, first_interval_, interval_;
  std::vector<Entry> entries_;  ///< never empty, steps rise
};

}  // namespace mote::sim
