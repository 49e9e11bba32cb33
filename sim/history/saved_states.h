#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "sim/run/simulation.h"
#include "sim/schedule.h"

namespace mote::sim {

/// Past states within a memory budget, ordered by step. The first one is never dropped. The others
/// are of three kinds:
/// - grid: at multiples of interval(), which doubles whenever the budget is full, dropping every
/// second one;
/// - before_edit: the state when a parameter was changed. At most half of the budget;
/// - seek: left by a seek for the next one, which is usually to a step close by. A quarter of the
/// budget is reserved for these, at most 16 states.
/// Which states are saved depends on steps and edits alone, not on time or the slicing of steps.
class SavedStates {
 public:
  using Make = std::function<std::unique_ptr<SavedState>()>;
  enum class Kind { grid, before_edit, seek };
  struct Entry {
    std::unique_ptr<SavedState> state;
    std::size_t edits;  ///< number of edits of the history applied to the state
    Kind kind;
    std::uint64_t step() const { return state->step(); }
  };

  /// Enough for any timeline. Limits small states, too, since the GPU allocates whole pages.
  static constexpr std::uint64_t max_states = 2048;

  /// `first`: the first state, never dropped; `interval`: minimum spacing of grid states [steps].
  SavedStates(std::uint64_t budget, std::uint64_t bytes_each, std::uint64_t interval, Entry first);

  /// Each of these saves the state that `make` returns, unless one of this step exists or the
  /// budget is full. Drops others first, so that memory never exceeds the budget. When `make` runs
  /// out of memory, the present number of states becomes the budget.
  void save_on_grid(std::uint64_t step, std::size_t edits, const Make& make);
  void save_before_edit(std::uint64_t step, std::size_t edits, const Make& make);
  void save_for_seek(std::uint64_t step, std::size_t edits, const Make& make);

  /// The latest at or before a step; the first one if there is none.
  const Entry& nearest(std::uint64_t step) const;
  /// Null when none is saved at exactly this step.
  const Entry* at(std::uint64_t step) const;

  /// Sets the size of states from now on, and their interval where the budget allows it. All states
  /// count as much as the largest so far.
  void adapt(std::uint64_t bytes_each, std::uint64_t interval);

  /// Drops all states after a step, and resets the interval to that of a run of this length.
  void discard_after(std::uint64_t step);

  std::uint64_t interval() const { return interval_; }
  std::uint64_t min_interval() const { return min_interval_; }
  /// The first grid step after `step`; `never` if only the first state fits.
  std::uint64_t next(std::uint64_t step) const {
    return capacity_ < 2 ? never : (step / interval_ + 1) * interval_;
  }
  std::vector<std::uint64_t> steps() const;
  std::uint64_t bytes() const;

 private:
  std::size_t first_after(std::uint64_t step) const;
  Entry* find(std::uint64_t step);
  void insert(std::uint64_t step, std::size_t edits, Kind kind, const Make& make);
  std::uint64_t reserved() const;
  bool full() const;
  bool make_room();
  void limit_edits();
  void drop(const std::function<bool(const Entry&)>& which);
  std::size_t count(Kind kind) const;
  Entry* earliest(Kind kind);
  bool off_grid(const Entry& entry) const {
    return entry.kind == Kind::grid && entry.step() % interval_ != 0;
  }

  std::uint64_t budget_, bytes_each_, capacity_, min_interval_, interval_;
  std::vector<Entry> entries_;  ///< never empty, by increasing step
};

}  // namespace mote::sim
