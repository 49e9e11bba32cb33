#pragma once

#include <cstdint>

#include "engine/exec/policy.h"
#include "engine/memory/buffer.h"
#include "sim/space/cells.h"
#include "sim/state.h"

namespace mote::sim {

/// Bodies in the order of the cells that they are in, and within a cell in the order of their columns, so that neighbours
/// in space are neighbours in memory. By counting (Knuth 1998, TAOCP 3, 5.2, algorithm D), whose result depends on
/// nothing but the positions.
template <class Real>
class CellGrid {
 public:
  /// Sorts bodies for a force that reaches so far. Takes memory where there is not enough. Positions are finite.
  void build(const engine::Cpu& exec, const StateView<const Real>& state, const Domain& domain, double reach);

  const CellLayout& layout() const { return layout_; }
  /// The first body of each cell, and the number of bodies.
  const std::int32_t* start() const { return start_.data(); }
  /// By place in the order of cells: which column of the state it is, and its image within the domain.
  const std::int32_t* column() const { return column_.data(); }
  const Real* x() const { return place_[0].data(); }
  const Real* y() const { return place_[1].data(); }
  const Real* z() const { return place_[2].data(); }

 private:
  template <class T>
  using Column = engine::Buffer<T, engine::Host>;

  void count_bodies(const engine::Cpu& exec, const StateView<const Real>& state);

  CellLayout layout_{};
  Column<std::int32_t> start_, column_, cell_, counts_;
  Column<Real> place_[3];
};

}  // namespace mote::sim
