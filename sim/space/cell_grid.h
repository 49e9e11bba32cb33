#pragma once

#include <cstdint>

#include "engine/exec/policy.h"
#include "engine/memory/buffer.h"
#include "sim/space/cells.h"
#include "sim/state.h"

namespace mote::sim {

/// Consecutive slots of one cell.
struct CellRun {
  Cell cell;
  engine::Index begin, end;
};

/// Cell list: bodies sorted by the bucket of their cell, and by index within a bucket, so that
/// neighbours in space are close in memory. A stable counting sort (Knuth 1998, TAOCP 3, 5.2,
/// algorithm D); the result depends only on the positions.
template <class Real>
class CellGrid {
 public:
  /// Sorts bodies into cells for a force with this cutoff [length]; grows buffers as needed.
  /// Positions must be finite.
  void build(const engine::Cpu& exec, const StateView<const Real>& state, const Domain& domain,
             double cutoff);

  const CellLayout& layout() const { return layout_; }
  /// First slot of each bucket; the last element is the number of bodies.
  const std::int32_t* start() const { return start_.data(); }
  /// By slot: body index, and position wrapped into the domain.
  const std::int32_t* index() const { return index_.data(); }
  const Real* x() const { return position_[0].data(); }
  const Real* y() const { return position_[1].data(); }
  const Real* z() const { return position_[2].data(); }
  /// The cell of a slot.
  Cell cell_at(engine::Index slot) const {
    return cell_of(layout_, {x()[slot], y()[slot], z()[slot]});
  }

  /// Calls use(run) for each run of slots of one cell in a bucket.
  template <class Use>
  void for_each_run(int bucket, Use&& use) const {
    const engine::Index end = start()[bucket + 1];
    for (engine::Index begin = start()[bucket], next; begin < end; begin = next) {
      const Cell cell = cell_at(begin);
      next = layout_.hashed() ? begin + 1 : end;
      while (next < end && cell_at(next) == cell) ++next;
      use(CellRun{cell, begin, next});
    }
  }

 private:
  template <class T>
  using Column = engine::Buffer<T, engine::Host>;

  /// The position of a body wrapped into the domain, as stored by slot.
  engine::Vec3<Real> image_of(const StateView<const Real>& state, engine::Index i) const;
  void count_bodies(const engine::Cpu& exec, const StateView<const Real>& state);
  std::int64_t excess_occupancy_of(engine::Index slices) const;

  CellLayout layout_{};
  Column<std::int32_t> start_, index_, bucket_, counts_;
  Column<Real> position_[3];
};

}  // namespace mote::sim
