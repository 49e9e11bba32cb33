#include "sim/space/cell_grid.h"

#include <algorithm>
#include <limits>

#include "engine/exec/parallel.h"

namespace mote::sim {
namespace {

using engine::Index;
using engine::Vec3d;

/// Counting is split into slices, one thread each: at most `most_slices`, none shorter than
/// `shortest_slice`.
constexpr Index most_slices = 32, shortest_slice = 8192;

Index slices_of(Index count) {
  return std::clamp<Index>(count / shortest_slice, 1, most_slices);
}
Index slice_begin(Index slice, Index slices, Index count) {
  return slice * count / slices;
}

template <class T>
void grow(engine::Buffer<T, engine::Host>& buffer, Index size) {
  if (buffer.size() < size) buffer = engine::Buffer<T, engine::Host>(size + size / 8);
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

template <class Real>
engine::Vec3<Real> CellGrid<Real>::image_of(const StateView<const Real>& s, Index i) const {
  return {static_cast<Real>(image_within(layout_, 0, s.x[i])),
          static_cast<Real>(image_within(layout_, 1, s.y[i])),
          static_cast<Real>(image_within(layout_, 2, s.z[i]))};
}

/// Finds the bucket of each body and counts bodies per slice and bucket.
template <class Real>
void CellGrid<Real>::count_bodies(const engine::Cpu& exec, const StateView<const Real>& s) {
  const Index buckets = layout_.buckets, slices = slices_of(s.count);
  grow(counts_, buckets * slices);
  engine::parallel_tasks(exec.threads, slices, [&](Index slice) {
    std::int32_t* const counts = counts_.data() + slice * buckets;
    std::fill_n(counts, buckets, 0);
    for (Index i = slice_begin(slice, slices, s.count); i < slice_begin(slice + 1, slices, s.count);
         ++i) {
      const engine::Vec3<Real> image = image_of(s, i);
      const int bucket = bucket_of(layout_, cell_of(layout_, {image.x, image.y, image.z}));
      bucket_.data()[i] = bucket;
      ++counts[bucket];
    }
  });
}

template <class Real>
std::int64_t CellGrid<Real>::excess_occupancy_of(Index slices) const {
  std::int64_t sum = 0;
  for (Index bucket = 0; bucket < layout_.buckets; ++bucket) {
    std::int64_t bodies = 0;
    for (Index slice = 0; slice < slices; ++slice)
      bodies += counts_.data()[slice * layout_.buckets + bucket];
    sum += excess_occupancy(bodies);
  }
  return sum;
}

template <class Real>
void CellGrid<Real>::build(const engine::Cpu& exec, const StateView<const Real>& s,
                           const Domain& domain, double cutoff) {
  Vec3d low{}, high{};
  if (!domain.closed() && s.count > 0) bounds_of(s, low, high);
  const Index most_cells = std::max<Index>(64, 2 * s.count), slices = slices_of(s.count);
  grow(bucket_, s.count);
  grow(index_, s.count);
  for (Column<Real>& position : position_) grow(position, s.count);
  layout_ = layout_cells(domain, low, high, cutoff, most_cells);
  count_bodies(exec, s);
  if (layout_.sparse && excess_occupancy_of(slices) > 0) {
    layout_ = hashed_cells(domain, cutoff, most_cells);
    count_bodies(exec, s);
  }
  const Index buckets = layout_.buckets;
  grow(start_, buckets + 1);

  // Exclusive prefix sum over buckets, and over slices within a bucket.
  std::int32_t next = 0;
  for (Index bucket = 0; bucket < buckets; ++bucket) {
    start_.data()[bucket] = next;
    for (Index slice = 0; slice < slices; ++slice) {
      std::int32_t& count = counts_.data()[slice * buckets + bucket];
      const std::int32_t here = count;
      count = next;
      next += here;
    }
  }
  start_.data()[buckets] = next;
  engine::parallel_tasks(exec.threads, slices, [&](Index slice) {
    std::int32_t* const to = counts_.data() + slice * buckets;
    for (Index i = slice_begin(slice, slices, s.count); i < slice_begin(slice + 1, slices, s.count);
         ++i) {
      const std::int32_t k = to[bucket_.data()[i]]++;
      const engine::Vec3<Real> image = image_of(s, i);
      index_.data()[k] = static_cast<std::int32_t>(i);
      position_[0].data()[k] = image.x;
      position_[1].data()[k] = image.y;
      position_[2].data()[k] = image.z;
    }
  });
}

template class CellGrid<float>;
template class CellGrid<double>;

}  // namespace mote::sim
