#pragma once

#include <algorithm>
#include <vector>

#include "sim/expansions/multipole_kernel.h"
#include "sim/expansions/tree.h"

namespace mote::sim {

/// Bodies of leaves packed for the kernels, relative to a cell: differences of doubles, so that
/// they are as exact as the positions wherever the cell is.
template <class Real>
class LeafBodies {
 public:
  void clear() { count_ = 0; }

  void append(const TreeBodies& bodies, std::uint32_t first, std::uint32_t count,
              const CellFrame& frame) {
    reserve(count_ + count);
    const double unit = 1 / frame.scale;
    Real *const x = columns_[0].data() + count_, *const y = columns_[1].data() + count_,
                *const z = columns_[2].data() + count_, *const m = columns_[3].data() + count_;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::size_t from = std::size_t{first} + i;
      x[i] = static_cast<Real>(unit * (bodies.x[from] - frame.center.x));
      y[i] = static_cast<Real>(unit * (bodies.y[from] - frame.center.y));
      z[i] = static_cast<Real>(unit * (bodies.z[from] - frame.center.z));
      m[i] = static_cast<Real>(bodies.mass[from]);
    }
    count_ += count;
  }

  /// Valid until the next append.
  NearBodies<Real> view() {
    reserve(count_);
    // Massless, and where no target is: at a distance of almost 0 their weight would overflow.
    constexpr Real away = 8;
    for (auto& column : columns_)
      std::fill_n(column.begin() + static_cast<std::ptrdiff_t>(count_), padding,
                  &column == &columns_[3] ? Real(0) : away);
    return {static_cast<engine::Index>(count_), columns_[0].data(), columns_[1].data(),
            columns_[2].data(), columns_[3].data()};
  }

 private:
  static constexpr std::size_t padding = 16;  ///< the widest batch

  void reserve(std::size_t count) {
    if (columns_[0].size() >= count + padding) return;
    for (auto& column : columns_) column.resize(2 * (count + padding));
  }

  std::size_t count_ = 0;
  std::vector<Real> columns_[4];
};

/// Sums of the bodies of a leaf.
class LeafSums {
 public:
  /// All are zero.
  NearSums clear(engine::Index count) {
    constexpr engine::Index padding = 16;
    for (auto& column : columns_) column.assign(static_cast<std::size_t>(count + padding), 0);
    return {columns_[0].data(), columns_[1].data(), columns_[2].data(), columns_[3].data()};
  }

 private:
  std::vector<double> columns_[4];
};

}  // namespace mote::sim
