#pragma once

#include "engine/algo/warp.cuh"
#include "engine/exec/launch.cuh"
#include "sim/expansions/expansion_view.h"
#include "sim/expansions/near_sums.cuh"
#include "sim/expansions/tree_view.h"

/// The potential of the periodic images that are not nearest (PeriodicImages), by a block for each
/// cell: from the moments of the cells of a level and the bodies of leaves above it, and to the
/// expansions of these cells and those bodies. In double.
namespace mote::sim::far_images {

using engine::Vec3d;

inline constexpr int count = PeriodicImages::count, size = PeriodicImages::size;
inline constexpr int powers = expansion::largest_order + 1;
inline constexpr int threads = 256;
/// Polynomials along three axes, then two intermediate arrays.
inline constexpr int table_size = 3 * count * powers;
inline constexpr std::size_t shared_bytes =
    (table_size + count * powers * powers + count * count * powers) * sizeof(double);

/// Cells whose moments are used: those of this level.
inline constexpr int level_of_cells = PeriodicImages::level;

/// Where the cells of this level and above end.
__device__ __forceinline__ std::uint32_t end_of_cells(const DeviceTreeView& tree, int level) {
  return tree.control->cells == 0 ? 0 : tree.control->level_first[level + 1];
}

/// Polynomials at a point, by three threads. Others must wait.
__device__ inline void set_tables(const PeriodicImages::Frame& frame, Vec3d at, double step, int p,
                                  double* tables) {
  const Vec3d u = frame.at(at);
  const double values[3] = {u.x, u.y, u.z},
               inverse[3] = {frame.inverse.x, frame.inverse.y, frame.inverse.z};
  const auto axis = threadIdx.x;
  if (axis < 3)
    PeriodicImages::polynomials(values[axis], step * inverse[axis], p, powers,
                                tables + axis * count * powers);
}

/// The weights of each cell: a row for each of the first blocks.
template <class T>
__global__ void __launch_bounds__(threads)
    find_weights(DeviceTreeView tree, ExpansionView<T> e, double* rows) {
  auto* const tables = engine::shared_memory<double>();
  double *const of_x = tables + table_size, *const of_xy = of_x + count * powers * powers;
  const double *const tx = tables, *const ty = tx + count * powers, *const tz = ty + count * powers;
  const std::uint32_t c = blockIdx.x;
  if (c >= end_of_cells(tree, level_of_cells)) return;
  const auto thread = static_cast<int>(threadIdx.x);
  double* const to = rows + static_cast<std::size_t>(c) * size;
  const PeriodicImages::Frame frame = e.images.frame(tree.control->unit);
  const Vec3d center{tree.x[c], tree.y[c], tree.z[c]};
  const int p = e.order;
  if (tree.level[c] == level_of_cells) {
    const T* const moments = e.moments + static_cast<std::size_t>(c) * e.stride;
    set_tables(frame, center, -ldexp(1.0, -level_of_cells), p, tables);
    __syncthreads();
    for (int k = thread; k < count * powers * powers; k += threads) {
      const int a = k / (powers * powers), y = k / powers % powers, z = k % powers;
      double sum = 0;
      for (int x = 0; x + y + z <= p; ++x)
        sum += tx[a * powers + x] * static_cast<double>(moments[expansion::index_of(x, y, z)]);
      of_x[k] = sum;
    }
    __syncthreads();
    for (int k = thread; k < count * count * powers; k += threads) {
      const int a = k / (count * powers), b = k / powers % count, z = k % powers;
      double sum = 0;
      for (int y = 0; y + z <= p; ++y)
        sum += ty[b * powers + y] * of_x[(a * powers + y) * powers + z];
      of_xy[k] = sum;
    }
    __syncthreads();
    for (int k = thread; k < size; k += threads) {
      const int a = k / (count * count), b = k / count % count, last = k % count;
      double sum = 0;
      for (int z = 0; z <= p; ++z)
        sum += tz[last * powers + z] * of_xy[(a * count + b) * powers + z];
      to[PeriodicImages::place_of(a, b, last)] = sum;
    }
    return;
  }
  for (int k = thread; k < size; k += threads) to[k] = 0;
  if (tree.children[c] != 0) return;
  for (std::uint32_t i = 0; i < tree.massive[c]; ++i) {
    const LeafBody<T> body = e.bodies[tree.first[c] + i];
    __syncthreads();
    set_tables(frame, center + Vec3d{double(body.x), double(body.y), double(body.z)}, 1, 0, tables);
    __syncthreads();
    for (int k = thread; k < size; k += threads) {
      const int a = k / (count * count), b = k / count % count, last = k % count;
      to[PeriodicImages::place_of(a, b, last)] +=
          static_cast<double>(body.mass) * tx[a * powers] * ty[b * powers] * tz[last * powers];
    }
  }
}

/// A block sums 32 coefficients over eight slices of the cells; the sums of the slices are added in
/// their order.
template <class T>
__global__ void __launch_bounds__(threads)
    add_weights(DeviceTreeView tree, ExpansionView<T> e, const double* rows) {
  constexpr int slices = threads / 32;
  auto* const parts = engine::shared_memory<double>();
  const int k = static_cast<int>(blockIdx.x * 32 + threadIdx.x % 32),
            slice = static_cast<int>(threadIdx.x / 32);
  const auto end = static_cast<int>(end_of_cells(tree, level_of_cells));
  double sum = 0;
  for (int c = slice; c < end && k < size; c += slices)
    sum += rows[static_cast<std::size_t>(c) * size + static_cast<std::size_t>(k)];
  parts[threadIdx.x] = sum;
  __syncthreads();
  if (slice > 0 || k >= size) return;
  for (int other = 1; other < slices; ++other)
    sum += parts[32 * other + static_cast<int>(threadIdx.x)];
  e.images.weights[k] = sum;
}

/// A warp for each coefficient of the potential, in units of the tree.
template <class T>
__global__ void __launch_bounds__(threads) find_potential(DeviceTreeView tree, ExpansionView<T> e) {
  constexpr int block = PeriodicImages::block;
  const auto row = static_cast<int>((blockIdx.x * threads + threadIdx.x) / 32);
  if (row >= size) return;
  const double* const kernel = e.images.kernel + static_cast<std::size_t>(row) * block;
  const double* const weights = e.images.weights + row / block * block;
  double sum = 0;
  for (int i = static_cast<int>(threadIdx.x % 32); i < block; i += 32)
    sum += kernel[i] * weights[i];
  sum = engine::warp_sum(sum);
  if (threadIdx.x % 32 == 0) e.images.potential[row] = sum / (tree.control->unit * e.images.unit);
}

/// Adds to the expansions of the cells of the level.
template <class T>
__global__ void __launch_bounds__(threads) add_to_cells(DeviceTreeView tree, ExpansionView<T> e) {
  auto* const tables = engine::shared_memory<double>();
  double *const of_z = tables + table_size, *const of_yz = of_z + count * count * powers;
  const double *const tx = tables, *const ty = tx + count * powers, *const tz = ty + count * powers;
  const std::uint32_t c = blockIdx.x;
  const Targets& targets = tree.control->targets;
  if (c < targets.begin[level_of_cells] || c >= targets.end(level_of_cells)) return;
  const auto thread = static_cast<int>(threadIdx.x);
  const int p = e.order;
  set_tables(e.images.frame(tree.control->unit), {tree.x[c], tree.y[c], tree.z[c]},
             ldexp(1.0, -level_of_cells), p, tables);
  __syncthreads();
  for (int k = thread; k < count * count * powers; k += threads) {
    const int a = k / (count * powers), b = k / powers % count, z = k % powers;
    double sum = 0;
    if (z <= p)
      for (int last = 0; last < count; ++last)
        sum += tz[last * powers + z] * e.images.potential[PeriodicImages::place_of(a, b, last)];
    of_z[k] = sum;
  }
  __syncthreads();
  for (int k = thread; k < count * powers * powers; k += threads) {
    const int a = k / (powers * powers), y = k / powers % powers, z = k % powers;
    double sum = 0;
    if (y + z <= p)
      for (int b = 0; b < count; ++b)
        sum += ty[b * powers + y] * of_z[(a * count + b) * powers + z];
    of_yz[k] = sum;
  }
  __syncthreads();
  T* const to = e.locals + static_cast<std::size_t>(targets.row_of(c, level_of_cells)) * e.stride;
  for (int k = thread; k < powers * powers * powers; k += threads) {
    const int x = k / (powers * powers), y = k / powers % powers, z = k % powers;
    if (x + y + z > p) continue;
    double sum = 0;
    for (int a = 0; a < count; ++a)
      sum += tx[a * powers + x] * of_yz[(a * powers + y) * powers + z];
    to[expansion::index_of(x, y, z)] += static_cast<T>(sum);
  }
}

/// The potential and its gradient at a point, by a block; valid in its first thread.
__device__ inline PeriodicImages::At potential_at(const ImageView& images,
                                                  const PeriodicImages::Frame& frame, Vec3d at,
                                                  double* tables) {
  double* const parts = tables + table_size;
  const double *const tx = tables, *const ty = tx + count * powers, *const tz = ty + count * powers;
  __syncthreads();
  set_tables(frame, at, 1, 1, tables);
  __syncthreads();
  const auto thread = static_cast<int>(threadIdx.x);
  double sums[4] = {0, 0, 0, 0};
  if (thread < count * count) {
    const int a = thread / count, b = thread % count;
    double value = 0, slope = 0;
    for (int c = 0; c < count; ++c) {
      const double coefficient = images.potential[PeriodicImages::place_of(a, b, c)];
      value += tz[c * powers] * coefficient;
      slope += tz[c * powers + 1] * coefficient;
    }
    const double x = tx[a * powers], y = ty[b * powers];
    sums[0] = x * y * value;
    sums[1] = tx[a * powers + 1] * y * value;
    sums[2] = x * ty[b * powers + 1] * value;
    sums[3] = x * y * slope;
  }
  for (int k = 0; k < 4; ++k) {
    const double sum = engine::warp_sum(sums[k]);
    if (thread % 32 == 0) parts[k * (threads / 32) + thread / 32] = sum;
  }
  __syncthreads();
  for (int k = 0; k < 4; ++k) {
    sums[k] = 0;
    for (int warp = 0; warp < threads / 32; ++warp) sums[k] += parts[k * (threads / 32) + warp];
  }
  return {sums[0], {sums[1], sums[2], sums[3]}};
}

/// Adds to the bodies of leaves above the level.
template <GravityQuantity quantity, class T, class Real>
__global__ void __launch_bounds__(threads)
    add_to_bodies(DeviceTreeView tree, ExpansionView<T> e, near_sums::Result<Real> to) {
  auto* const tables = engine::shared_memory<double>();
  const std::uint32_t c = blockIdx.x;
  if (c >= end_of_cells(tree, level_of_cells - 1) || tree.children[c] != 0) return;
  const Targets& targets = tree.control->targets;
  const int level = tree.level[c];
  if (c < targets.begin[level] || c >= targets.end(level)) return;
  const PeriodicImages::Frame frame = e.images.frame(tree.control->unit);
  for (std::uint32_t i = 0; i < tree.count[c]; ++i) {
    if (!e.has_chosen(tree.first[c] + i, 1)) continue;
    const LeafBody<T> body = e.bodies[tree.first[c] + i];
    const PeriodicImages::At at = potential_at(
        e.images, frame,
        {tree.x[c] + double(body.x), tree.y[c] + double(body.y), tree.z[c] + double(body.z)},
        tables);
    if (threadIdx.x != 0) continue;
    if constexpr (quantity == GravityQuantity::attraction) {
      const std::uint32_t slot = tree.order[tree.first[c] + i];
      const double factor = near_sums::acceleration_unit(tree, to, slot);
      to.ax[slot] += static_cast<Real>(factor * at.gradient.x);
      to.ay[slot] += static_cast<Real>(factor * at.gradient.y);
      to.az[slot] += static_cast<Real>(factor * at.gradient.z);
    } else {
      to.potential[tree.first[c] + i] += at.potential;
    }
  }
}

/// Adds G-free attraction to the direct sums at the positions of a sample: a block for each.
template <class T>
__global__ void __launch_bounds__(threads)
    add_to_sample(DeviceTreeView tree, ExpansionView<T> e, const Vec3d* positions, double mass_unit,
                  Vec3d* sums) {
  const double unit = tree.control->unit;
  const PeriodicImages::At at =
      potential_at(e.images, e.images.frame(unit), unit * positions[blockIdx.x],
                   engine::shared_memory<double>());
  if (threadIdx.x == 0) sums[blockIdx.x] += (mass_unit * unit * unit) * at.gradient;
}

}  // namespace mote::sim::far_images
