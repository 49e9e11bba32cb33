#pragma once

#include "engine/algo/warp.cuh"
#include "engine/exec/launch.cuh"
#include "sim/expansions/acceptance.h"
#include "sim/expansions/expansion_view.h"
#include "sim/expansions/targets.cuh"
#include "sim/expansions/tree_box.h"
#include "sim/expansions/tree_view.h"

/// Kernels of a warp per cell that make moments and pass expansions on to children. Lanes have
/// coefficients, every 32nd one; shifts to another center go along one axis after another, which is
/// exact and takes p + 1 terms a coefficient each.
namespace mote::sim::moments {

using engine::all_lanes;
using engine::Vec3d;
using engine::warp_sum;

inline constexpr int warps = 4;
inline constexpr int threads = 32 * warps;
inline constexpr int most_children = 8;
inline constexpr int powers = expansion::largest_order + 1;
inline constexpr int pitch = 33;  ///< words between powers of the coordinates of 32 bodies

/// Tables that lanes look up for their coefficients, in shared memory.
struct LaneTable {
  std::uint8_t x[expansion::largest_count], y[expansion::largest_count],
      z[expansion::largest_count], order[expansion::largest_count];
  float factorial[expansion::largest_count];  ///< n!
  float inverse[powers + 1];                  ///< 1 / k
};
/// Shared memory of a block: the table, then scratch of each warp.
inline constexpr int table_bytes = (sizeof(LaneTable) + 127) / 128 * 128;
inline constexpr int body_scratch = 3 * powers * pitch;
inline constexpr int row_scratch = 3 * expansion::largest_count + 3 * powers;
template <class T>
inline constexpr std::size_t shared_bytes(int scratch, int of_warps) {
  return table_bytes + static_cast<std::size_t>(of_warps * scratch) * sizeof(T);
}
static_assert(body_scratch >= expansion::largest_count);

/// The lane of a warp with its coefficients. Loops are not unrolled: there are few of each, and the
/// instructions of all kernels here would not fit the cache.
template <class T>
struct Lane {
  int order, count, number;
  const LaneTable* table;
  T* scratch;

  /// `size`: numbers of scratch for each warp.
  __device__ Lane(int p, const IndexTable& given, int size)
      : order(p), count(expansion::count_of(p)), number(static_cast<int>(threadIdx.x) % 32) {
    auto* const bytes = engine::shared_memory<unsigned char>();
    auto* const shared = reinterpret_cast<LaneTable*>(bytes);
    const int thread = static_cast<int>(threadIdx.x);
    for (int k = thread; k < count; k += static_cast<int>(blockDim.x)) {
      const int n[3] = {given.x[k], given.y[k], given.z[k]};
      shared->x[k] = given.x[k], shared->y[k] = given.y[k], shared->z[k] = given.z[k];
      shared->order[k] = static_cast<std::uint8_t>(n[0] + n[1] + n[2]);
      float factorial = 1;
      for (int axis = 0; axis < 3; ++axis)
        for (int i = 2; i <= n[axis]; ++i) factorial *= static_cast<float>(i);
      shared->factorial[k] = factorial;
    }
    if (thread <= powers && thread > 0) shared->inverse[thread] = 1 / static_cast<float>(thread);
    __syncthreads();
    table = shared;
    scratch = reinterpret_cast<T*>(bytes + table_bytes) + thread / 32 * size;
  }

  /// use(k) for the coefficients of this lane.
  template <class Use>
  __device__ __forceinline__ void for_own(const Use& use) const {
#pragma unroll 1
    for (int k = number; k < count; k += 32) use(k);
  }
  __device__ __forceinline__ int order_of(int k) const {
    return table->order[k];
  }
  /// 1 / k.
  __device__ __forceinline__ T inverse(int k) const {
    if constexpr (sizeof(T) == 4)
      return table->inverse[k];
    else
      return T(1) / T(k);
  }
  /// Rows of coefficients, then powers along the axes.
  __device__ __forceinline__ T* row(int k) const {
    return scratch + k * expansion::largest_count;
  }
  __device__ __forceinline__ T* along() const {
    return row(3);
  }
};

__device__ __forceinline__ double warp_max(double value) {
  for (int distance = 16; distance > 0; distance /= 2) {
    const double other = __shfl_xor_sync(all_lanes, value, distance);
    value = value > other ? value : other;
  }
  return value;
}

__device__ __forceinline__ Vec3d warp_sum(Vec3d value) {
  return {engine::warp_sum(value.x), engine::warp_sum(value.y), engine::warp_sum(value.z)};
}

/// Not below `value` >= 0.
__device__ __forceinline__ float rounded_up(double value) {
  return static_cast<float>(value) * (1 + 0x1p-23f) + 0x1p-126f;
}

__device__ __forceinline__ void store_cell(const DeviceTreeView& tree, std::uint32_t c,
                                           Vec3d center, double mass, double radius) {
  const float rounded = radius > 0 ? rounded_up(radius) : 0;
  tree.x[c] = center.x, tree.y[c] = center.y, tree.z[c] = center.z;
  tree.mass[c] = mass;
  tree.radius[c] = rounded;
  tree.walk[c] = {
      center.x,         center.y,      center.z, rounded, static_cast<float>(sqrt(mass)),
      tree.children[c], tree.level[c], 0,        {}};
}

/// d^k / k! along each axis, in units of 1 / `unit`, to table[axis * powers + k].
template <class T>
__device__ void set_powers(const Lane<T>& lane, Vec3d d, double unit, T* table) {
  if (lane.number < 3) {
    const double along = lane.number == 0 ? d.x : lane.number == 1 ? d.y : d.z;
    const auto x = static_cast<T>(along * unit);
    T value(1);
    for (int k = 0; k <= lane.order; ++k) {
      table[lane.number * powers + k] = value;
      value = value * x * lane.inverse(k + 1);
    }
  }
  __syncwarp();
}

/// Center, radius and mass of a leaf, and its bodies relative to it. Returns the mass.
template <class T, class Real>
__device__ double describe_leaf(const Lane<T>& lane, const StateView<const Real>& s,
                                const DeviceTreeView& tree, const ExpansionView<T>& e,
                                std::uint32_t c) {
  const std::uint32_t first = tree.first[c], count = tree.count[c];
  const double unit = tree.control->unit, per_mass = 1 / e.mass_unit;
  const auto number = static_cast<std::uint32_t>(lane.number);
  const Vec3d from = place_of(s, tree.order[first], unit);
  Vec3d weighted{0, 0, 0}, plain{0, 0, 0};
  double mass = 0;
  for (std::uint32_t b = number; b < count; b += 32) {
    const std::uint32_t slot = tree.order[first + b];
    const Vec3d d = place_of(s, slot, unit) - from;
    const double m = s.mass[slot] * per_mass;
    mass += fabs(m);
    weighted += fabs(m) * d;
    plain += d;
  }
  mass = engine::warp_sum(mass);
  weighted = warp_sum(weighted), plain = warp_sum(plain);
  const Vec3d center = from + (mass > 0 ? (1 / mass) * weighted : (1.0 / count) * plain);
  double square = 0;
  for (std::uint32_t b = number; b < count; b += 32) {
    const std::uint32_t slot = tree.order[first + b];
    const Vec3d d = place_of(s, slot, unit) - center;
    const double own = dot(d, d);
    square = own > square ? own : square;
    e.bodies[first + b] = {static_cast<T>(d.x), static_cast<T>(d.y), static_cast<T>(d.z),
                           static_cast<T>(s.mass[slot] * per_mass)};
  }
  const double radius = sqrt(warp_max(square));
  if (lane.number == 0) store_cell(tree, c, center, mass, radius);
  return mass;
}

/// Moments of the bodies of a leaf, to the rows in memory.
template <class T>
__device__ void add_bodies(const Lane<T>& lane, const DeviceTreeView& tree,
                           const ExpansionView<T>& e, std::uint32_t c) {
  const std::uint32_t first = tree.first[c], massive = tree.massive[c];
  const auto unit = static_cast<T>(-ldexp(1.0, tree.level[c]));
  T* const to = e.moments + static_cast<std::size_t>(c) * e.stride;
  T* const x = lane.scratch;
  T* const y = x + powers * pitch;
  T* const z = y + powers * pitch;
  if (massive == 0) lane.for_own([&](int k) { to[k] = T(0); });
  for (std::uint32_t base = 0; base < massive; base += 32) {
    const std::uint32_t b = base + static_cast<std::uint32_t>(lane.number);
    if (b < massive) {
      const LeafBody<T> body = e.bodies[first + b];
      T px = body.mass, py(1), pz(1);
#pragma unroll 1
      for (int k = 0; k <= lane.order; ++k) {
        const int at = k * pitch + lane.number;
        x[at] = px, y[at] = py, z[at] = pz;
        const T next = lane.inverse(k + 1) * unit;
        px = px * body.x * next, py = py * body.y * next, pz = pz * body.z * next;
      }
    }
    __syncwarp();
    const int bodies = static_cast<int>(massive - base < 32 ? massive - base : 32);
    lane.for_own([&](int k) {
      const T* const kx = x + lane.table->x[k] * pitch;
      const T* const ky = y + lane.table->y[k] * pitch;
      const T* const kz = z + lane.table->z[k] * pitch;
      T own = base == 0 ? T(0) : to[k];
#pragma unroll 4
      for (int i = 0; i < bodies; ++i)
        own = engine::Number<T>::multiply_add(kx[i] * ky[i], kz[i], own);
      to[k] = own;
    });
    __syncwarp();
  }
}

/// Center and mass of a cell from its children, by any warp; `writes`: and its radius, to memory.
template <class T, class Real>
__device__ double describe_parent(const Lane<T>& lane, const StateView<const Real>& s,
                                  const DeviceTreeView& tree, std::uint32_t c, bool writes,
                                  Vec3d& center) {
  const std::uint32_t child = tree.child[c] + static_cast<std::uint32_t>(lane.number);
  const bool valid = lane.number < tree.children[c];
  const Vec3d at = valid ? Vec3d{tree.x[child], tree.y[child], tree.z[child]} : Vec3d{0, 0, 0};
  const Vec3d from{__shfl_sync(all_lanes, at.x, 0), __shfl_sync(all_lanes, at.y, 0),
                   __shfl_sync(all_lanes, at.z, 0)};
  const double m = valid ? tree.mass[child] : 0;
  const double bodies = valid ? tree.count[child] : 0;
  std::uint32_t massive = valid ? tree.massive[child] : 0;
  for (int distance = 4; distance > 0; distance /= 2)
    massive += __shfl_xor_sync(all_lanes, massive, distance);
  const Vec3d d = valid ? at - from : Vec3d{0, 0, 0};
  const double mass = engine::warp_sum(m);
  const Vec3d weighted = warp_sum(m * d), plain = warp_sum(bodies * d);
  center = from + (mass > 0 ? (1 / mass) * weighted : (1.0 / tree.count[c]) * plain);
  if (!writes) return mass;
  double radius = warp_max(valid ? sqrt(dot(at - center, at - center)) + tree.radius[child] : 0);
  const int level = tree.level[c];
  const double* const origin = tree.control->origin;
  const Vec3d body = place_of(s, tree.order[tree.first[c]], tree.control->unit);
  const double corner = distance_of_corner(center, level, body, {origin[0], origin[1], origin[2]});
  radius = radius < corner ? radius : corner;
  if (lane.number == 0) store_cell(tree, c, center, mass, radius), tree.massive[c] = massive;
  return mass;
}

/// Coefficient k of `from` moved along an axis. `power`: of along(). `direction` -1: of moments, 1:
/// of expansions.
template <int axis, int direction, class T>
__device__ __forceinline__ T moved(const Lane<T>& lane, const T* from, int k, const T* power) {
  const int y = lane.table->y[k], z = lane.table->z[k];
  int order = lane.order_of(k), rest = y + z, at = k;
  const int own = axis == 0 ? order - rest : axis == 1 ? y : z;
  const int most = direction < 0 ? own : lane.order - order;
  // Coefficients of the present order, which is how far it is to the same place of the next one.
  int row = direction < 0 ? order * (order + 1) / 2 : (order + 1) * (order + 2) / 2;
  T sum(0);
#pragma unroll 1
  for (int i = 0; i <= most; ++i) {
    sum = engine::Number<T>::multiply_add(from[at], power[i], sum);
    if constexpr (direction < 0) {
      at -= row + (axis > 0 ? rest : 0) + (axis == 2 ? 1 : 0);
      row -= order, --order, --rest;
    } else {
      at += row + (axis > 0 ? rest + 1 : 0) + (axis == 2 ? 1 : 0);
      row += order + 2, ++order, ++rest;
    }
  }
  return sum;
}

/// Moves the coefficients of row 0 along one axis after another, with the powers of along(), and
/// calls store(k, moved) for those of this lane. `direction` -1: moments, sum_k M_{n-k} d^k / k!;
/// 1: expansions, sum_n L_{k+n} d^n / n!.
template <int direction, class T, class Store>
__device__ __forceinline__ void shift(const Lane<T>& lane, const Store& store) {
  T *const a = lane.row(0), *const b = lane.row(1);
  const T* const power = lane.along();
  lane.for_own([&](int k) { b[k] = moved<0, direction>(lane, a, k, power); });
  __syncwarp();
  lane.for_own([&](int k) { a[k] = moved<1, direction>(lane, b, k, power + powers); });
  __syncwarp();
  lane.for_own([&](int k) { store(k, moved<2, direction>(lane, a, k, power + 2 * powers)); });
}

/// Moments of a child about the center of its parent, to row 2.
template <class T>
__device__ void shift_child(const Lane<T>& lane, const DeviceTreeView& tree,
                            const ExpansionView<T>& e, std::uint32_t child, double unit,
                            Vec3d center) {
  T *const a = lane.row(0), *const sum = lane.row(2);
  const Vec3d at{tree.x[child], tree.y[child], tree.z[child]};
  const T* const row = e.moments + static_cast<std::size_t>(child) * e.stride;
  // A child is half as large.
  lane.for_own([&](int k) { a[k] = row[k] * exp2f(-float(lane.order_of(k))); });
  set_powers(lane, center - at, unit, lane.along());
  shift<-1>(lane, [&](int k, T moved) { sum[k] = moved; });
}

/// The upper half of a float, not below `value` >= 0.
__device__ __forceinline__ std::uint16_t upper_half(float value) {
  return static_cast<std::uint16_t>((__float_as_uint(value) + 0xffffu) >> 16);
}

/// Finishes the moments of a cell in memory, and finds what Acceptance needs of them. Those of
/// charges are not smaller than expected of random signs (Acceptance::expect_random_signs).
template <class T>
__device__ void finish_moments(const Lane<T>& lane, const DeviceTreeView& tree,
                               const ExpansionView<T>& e, std::uint32_t c, double mass) {
  T* const row = e.moments + static_cast<std::size_t>(c) * e.stride;
  T* const squares = lane.row(0);
  __syncwarp();
  double strength = mass, expected = 0;
  if (e.charged) {
    const std::uint32_t charges = tree.massive[c];
    expected = charges > 0 ? mass / sqrt(static_cast<double>(charges)) : 0;
    const double sum = fabs(static_cast<double>(row[0]));
    strength = expected > sum ? expected : sum;
  }
  const T inverse = strength > 0 ? static_cast<T>(1 / strength) : T(0);
  __syncwarp();
  lane.for_own([&](int k) {
    const T m = row[k] * inverse;
    squares[k] = T(lane.table->factorial[k]) * m * m;
    if (k >= 1 && k <= 3 && !e.charged) row[k] = T(0);  // but for round-off
  });
  __syncwarp();
  if (e.charged) {
    const int children = tree.children[c], child = lane.number < children ? lane.number : 0;
    const float near = children == 0 ? static_cast<float>(Acceptance::field_of_neighbours(
                                           mass, tree.massive[c], tree.level[c]))
                                     : -static_cast<float>(warp_max(-double(
                                           e.near[tree.child[c] + static_cast<unsigned>(child)])));
    if (lane.number == 0)
      tree.walk[c].root_mass = static_cast<float>(sqrt(strength)), e.near[c] = near;
  }
  // A lane for each order.
  const int order = lane.number;
  if (order >= (e.charged ? 1 : 2) && order <= lane.order) {
    T square(0), weight(1);  // binom(p, order) order!^(1/2)
    for (int k = expansion::count_below(order); k < expansion::count_of(order); ++k)
      square += squares[k];
    T factorial(1), least = static_cast<T>(expected) * inverse * T(3) / T(3 + order);
    const auto ball = static_cast<T>(ldexp(static_cast<double>(tree.radius[c]), tree.level[c]));
    for (int k = 1; k <= order; ++k) {
      weight = weight * T(lane.order - k + 1) * lane.inverse(k);
      factorial = factorial * T(k);
      least = least * ball;
    }
    const T norm = engine::Number<T>::sqrt(factorial * square);
    const auto shape = static_cast<float>(weight * (norm > least ? norm : least));
    if (order == 1)
      tree.walk[c].dipole = upper_half(shape);
    else
      tree.walk[c].shape[order - 2] = shape;
  }
  __syncwarp();
}

/// Cells whose moments are made.
enum class Cells {
  all,
  inside  ///< those of TreeControl::inside
};

/// A warp per leaf.
template <class T, class Real>
__global__ void __launch_bounds__(threads)
    find_leaf_moments(StateView<const Real> s, DeviceTreeView tree, ExpansionView<T> e, Cells cells,
                      IndexTable indices) {
  const TreeControl& control = *tree.control;
  const std::uint32_t begin = cells == Cells::inside ? control.inside.leaf_begin : 0,
                      end = cells == Cells::inside ? control.inside.leaf_end : control.leaves;
  if (begin + blockIdx.x * warps >= end) return;
  const Lane<T> lane(e.order, indices, body_scratch);
  for (std::uint32_t leaf = begin + (blockIdx.x * threads + threadIdx.x) / 32; leaf < end;
       leaf += gridDim.x * warps) {
    const std::uint32_t c = tree.leaves[leaf];
    const double mass = describe_leaf(lane, s, tree, e, c);
    __syncwarp();
    add_bodies(lane, tree, e, c);
    finish_moments(lane, tree, e, c, mass);
  }
}

/// The moments of a cell with children, by a block that has a warp for each child.
template <class T, class Real>
__device__ void add_children(const Lane<T>& lane, const StateView<const Real>& s,
                             const DeviceTreeView& tree, const ExpansionView<T>& e, std::uint32_t c,
                             int level) {
  const int children = tree.children[c], warp = static_cast<int>(threadIdx.x) / 32;
  Vec3d center;
  const double mass = describe_parent(lane, s, tree, c, warp == 0, center);
  if (warp < children)
    shift_child(lane, tree, e, tree.child[c] + static_cast<std::uint32_t>(warp), ldexp(1.0, level),
                center);
  __syncthreads();
  if (warp == 0) {
    T* const to = e.moments + static_cast<std::size_t>(c) * e.stride;
    lane.for_own([&](int k) {
      T sum = lane.row(2)[k];
      for (int child = 1; child < children; ++child) sum += lane.row(2)[child * row_scratch + k];
      to[k] = sum;
    });
    finish_moments(lane, tree, e, c, mass);
  }
  __syncthreads();
}

/// The cells of a level that have children, a block for each.
template <class T, class Real>
__global__ void __launch_bounds__(32 * most_children)
    find_moments(StateView<const Real> s, DeviceTreeView tree, ExpansionView<T> e, int level,
                 Cells cells, IndexTable indices) {
  const TreeControl& control = *tree.control;
  const bool inside = cells == Cells::inside;
  const std::uint32_t begin = inside ? control.inside.begin[level] : control.level_first[level],
                      end = inside ? control.inside.end[level] : control.level_first[level + 1];
  if (begin + blockIdx.x >= end) return;
  const Lane<T> lane(e.order, indices, row_scratch);
  for (std::uint32_t c = begin + blockIdx.x; c < end; c += gridDim.x)
    if (tree.children[c] > 0) add_children(lane, s, tree, e, c, level);
}

/// The cells of a level with bodies on both sides of borders between ranges along the curve: a
/// block for each border. `borders`: the first bodies of ranges.
template <class T, class Real>
__global__ void __launch_bounds__(32 * most_children)
    find_moments_across(StateView<const Real> s, DeviceTreeView tree, ExpansionView<T> e, int level,
                        const std::uint32_t* borders, IndexTable indices) {
  const TreeControl& control = *tree.control;
  const std::uint32_t border = borders[blockIdx.x], end = control.level_first[level + 1];
  const std::uint32_t c = targets::first_that(
      control.level_first[level], end,
      [&](std::uint32_t cell) { return tree.first[cell] + tree.count[cell] > border; });
  if (c >= end || tree.first[c] >= border) return;
  if (blockIdx.x > 0 && borders[blockIdx.x - 1] > tree.first[c])
    return;  // that border's block does
  const Lane<T> lane(e.order, indices, row_scratch);
  add_children(lane, s, tree, e, c, level);
}

/// Adds to the expansion of each cell of a level that of its parent: L_k = sum_n L_{k+n} x^n / n!,
/// x from the center of the parent to that of the cell.
template <class T>
__global__ void __launch_bounds__(threads)
    pass_down(DeviceTreeView tree, ExpansionView<T> e, int level, IndexTable indices) {
  const Targets& targets = tree.control->targets;
  const std::uint32_t begin = targets.begin[level], end = targets.end(level);
  if (begin + blockIdx.x * warps >= end) return;
  const Lane<T> lane(e.order, indices, row_scratch);
  T *const a = lane.row(0), *const sum = lane.row(2);
  for (std::uint32_t c = begin + (blockIdx.x * threads + threadIdx.x) / 32; c < end;
       c += gridDim.x * warps) {
    if (!e.has_chosen(tree.first[c], tree.count[c])) continue;
    const std::uint32_t parent = tree.parent[c];
    const Vec3d d{tree.x[c] - tree.x[parent], tree.y[c] - tree.y[parent],
                  tree.z[c] - tree.z[parent]};
    const T* const from =
        e.locals + static_cast<std::size_t>(targets.row_of(parent, level - 1)) * e.stride;
    T* const to = e.locals + static_cast<std::size_t>(targets.row_of(c, level)) * e.stride;
    lane.for_own([&](int k) { a[k] = from[k], sum[k] = to[k]; });
    set_powers(lane, d, ldexp(1.0, level - 1), lane.along());
    // The rest of a long list.
    if (const std::uint32_t head = e.lists.far[c]; head != 0)
      for (std::uint32_t unit = e.lists.chunk(head).next; unit != 0;
           unit = e.lists.chunk(unit).next) {
        const T* const extra =
            e.extra_locals + static_cast<std::size_t>(e.lists.chunk(unit).sums) * e.stride;
        lane.for_own([&](int k) { sum[k] += extra[k]; });
      }
    // A cell is half as large as its parent.
    shift<1>(lane,
             [&](int k, T moved) { to[k] = sum[k] + moved * exp2f(-float(lane.order_of(k))); });
    __syncwarp();
  }
}

}  // namespace mote::sim::moments
