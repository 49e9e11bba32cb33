#pragma once

#include <cstdint>

#include "engine/exec/policy.h"
#include "engine/memory/buffer.h"
#include "sim/space/cells.h"
#include "sim/state.h"

namespace mote::sim {

/// Places that follow each other in one cell.
struct CellStretch {
  Cell cell;
  engine::Index begin, end;
};

/// Bodies in the order of the buckets that their cells have, and within one in the order of their
/// columns, so that neighbours in space are neighbours in memory. By counting (Knuth 1998, TAOCP
/// 3, 5.2, algorithm D), whose result depends on nothing but the positions.
template <class Real>
class CellGrid {
 public:
  /// Sorts bodies for a force that reaches so far. Takes memory where there is not enough.
  /// Positions are finite.
  void build(const engine::Cpu& exec, const StateView<const Real>& state, const Domain& domain,
             double reach);

  const CellLayout& layout() const { return layout_; }
  /// The first body of each bucket, and the number of bodies.
  const std::int32_t* start() const { return start_.data(); }
  /// By place in the order of cells: which column of the state it is, and its image within the
  /// domain.
  const std::int32_t* column() const { return column_.data(); }
  const Real* x() const { return place_[0].data(); }
  const Real* y() const { return place_[1].data(); }
  const Real* z() const { return place_[2].data(); }
  /// The cell that a place is in.
  Cell cell_at(engine::Index place) const {
    return cell_of(layout_, {x()[place], y()[place], z()[place]});
  }

  /// Calls use(stretch) for the places of a bucket, of one cell each.
  template <class Use>
  void for_each_stretch(int bucket, Use&& use) const {
    const engine::Index end = start()[bucket + 1];
    for (engine::Index begin = start()[bucket], next; begin < end; begin = next) {
      const Cell cell = cell_at(begin);
      next = layout_.hashed() ? begin + 1 : end;
      while (next < end && cell_at(next) == cell) ++next;
      use(CellStretch{cell, begin, next});
    }
  }

 private:
  template <class T>
  using Column = engine::Buffer<T, engine::Host>;

  /// The image of a body within the domain, as it stands in the places.
  engine::Vec3<Real> image_of(const StateView<const Real>& state, engine::Index i) const;
  void count_bodies(const engine::Cpu& exec, const StateView<const Real>& state);
  std::int64_t crowding(engine::Index slices) const;

  CellLayout layout_{};
  Column<std::int32_t> start_, column_, bucket_, counts_;
  Column<Real> place_[3];
};

}  // namespace mote::sim
