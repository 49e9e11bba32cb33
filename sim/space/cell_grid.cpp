#include "sim/space/cell_grid.h"

#include <algorithm>
#include <limits>

#include "engine/exec/parallel.h"

namespace mote::sim {
namespace {

using engine::Index;
using engine::Vec3d;

/// Bodies are counted in slices, each by one thread: so many at most, and none shorter than this.
constexpr Index most_slices = 32, shortest_slice = 8192;

Index slices_of(Index count) {
  return std::clamp<Index>(count / shortest_slice, 1, most_slices);
}
Index slice_begin(Index slice, Index slices, Index count) {
  return slice * count / slices;
}

template <class T>
void make_room(engine::Buffer<T, engine::Host>& column, Index size) {
  if (column.size() < size) column = engine::Buffer<T, engine::Host>(size + size / 8);
}

template <class Real>
void bounds_of(const StateView<const Real>& s, Vec3d& low, Vec3d& high) {
  constexpr double far = std::numeric_limits<double>::infinity();
  low = {far, far, far}, high = {-far, -far, -far};
  for (Index i = 0; i < s.count; ++i) {
    const Vec3d at{s.x[i], s.y[i], s.z[i]};
    low = {std::min(low.x, at.x), std::min(low.y, at.y), std::min(low.z, at.z)};
    high = {std::max(high.x, at.x), std::max(high.y, at.y), std::max(high.z, at.z)};
  }
}

}  // namespace

/// The cell of each body, and how many each slice has in each cell.
template <class Real>
void CellGrid<Real>::count_bodies(const engine::Cpu& exec, const StateView<const Real>& s) {
  const Index cells = layout_.cells(), slices = slices_of(s.count);
  engine::parallel_tasks(exec.threads, slices, [&](Index slice) {
    std::int32_t* const counts = counts_.data() + slice * cells;
    std::fill_n(counts, cells, 0);
    for (Index i = slice_begin(slice, slices, s.count); i < slice_begin(slice + 1, slices, s.count); ++i) {
      const Vec3d image{image_within(layout_, 0, s.x[i]), image_within(layout_, 1, s.y[i]),
                        image_within(layout_, 2, s.z[i])};
      const int cell = cell_of(layout_, image);
      cell_.data()[i] = cell;
      ++counts[cell];
    }
  });
}

template <class Real>
void CellGrid<Real>::build(const engine::Cpu& exec, const StateView<const Real>& s, const Domain& domain,
                           double reach) {
  Vec3d low{}, high{};
  if (!domain.closed() && s.count > 0) bounds_of(s, low, high);
  layout_ = layout_cells(domain, low, high, reach, std::max<Index>(64, 2 * s.count));
  const Index cells = layout_.cells(), slices = slices_of(s.count);
  make_room(start_, cells + 1);
  make_room(counts_, cells * slices);
  make_room(cell_, s.count);
  make_room(column_, s.count);
  for (Column<Real>& place : place_) make_room(place, s.count);
  count_bodies(exec, s);

  // From counts to places: cell after cell, and in a cell slice after slice.
  std::int32_t next = 0;
  for (Index cell = 0; cell < cells; ++cell) {
    start_.data()[cell] = next;
    for (Index slice = 0; slice < slices; ++slice) {
      std::int32_t& count = counts_.data()[slice * cells + cell];
      const std::int32_t here = count;
      count = next;
      next += here;
    }
  }
  start_.data()[cells] = next;
  engine::parallel_tasks(exec.threads, slices, [&](Index slice) {
    std::int32_t* const to = counts_.data() + slice * cells;
    for (Index i = slice_begin(slice, slices, s.count); i < slice_begin(slice + 1, slices, s.count); ++i) {
      const std::int32_t k = to[cell_.data()[i]]++;
      column_.data()[k] = static_cast<std::int32_t>(i);
      place_[0].data()[k] = static_cast<Real>(image_within(layout_, 0, s.x[i]));
      place_[1].data()[k] = static_cast<Real>(image_within(layout_, 1, s.y[i]));
      place_[2].data()[k] = static_cast<Real>(image_within(layout_, 2, s.z[i]));
    }
  });
}

template class CellGrid<float>;
template class CellGrid<double>;

}  // namespace mote::sim
