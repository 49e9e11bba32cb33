#pragma once

#include "engine/algo/reduce.cuh"
#include "sim/expansions/tree_box.h"
#include "sim/expansions/tree_view.h"

/// Kernels that build a tree from positions. Each body knows from the keys around it which cells
/// start with it, so all levels are made at once; cells are numbered by scans.
namespace mote::sim::tree_build {

using engine::all_lanes;
using engine::Index;
using engine::Vec3d;

inline constexpr int threads = 256;

/// Keys of the bodies along the curve.
struct Keys {
  const std::uint64_t* high;
  const std::uint64_t* low;  ///< keys of a second stage; null: there is none

  MOTE_HOST_DEVICE int deepest() const { return low ? 2 * hilbert::levels : hilbert::levels; }
  /// Numbers per block that are scanned: cells of each level, then leaves.
  MOTE_HOST_DEVICE int counters() const { return deepest() + 2; }
  __device__ __forceinline__ int common_levels(Index i, Index j) const;
};
inline constexpr int most_counters = 2 * hilbert::levels + 2;

/// Corners of the bodies' box, and 0 or NaN.
template <class Real>
struct BoxTerm {
  StateView<const Real> s;
  __device__ engine::Values<7> operator()(Index i) const {
    const double x = s.x[i], y = s.y[i], z = s.z[i];
    return {{x, y, z, x, y, z, 0 * (x + y + z + s.mass[i])}};
  }
  static __device__ double combine(int k, double a, double b) {
    return k < 3 ? (a < b ? a : b) : k < 6 ? (a > b ? a : b) : a + b;
  }
  static __device__ engine::Values<7> nothing() {
    return {{HUGE_VAL, HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL, -HUGE_VAL, 0}};
  }
};

__global__ void set_box(const engine::Values<7>* corners, Index count, TreeControl* control) {
  if (threadIdx.x != 0) return;
  const auto& c = corners->v;
  const bool finite = c[6] == 0;
  TreeControl t{};
  const TreeBox box = finite ? TreeBox::around({c[0], c[1], c[2]}, {c[3], c[4], c[5]}) : TreeBox{};
  t.origin[0] = box.origin.x, t.origin[1] = box.origin.y, t.origin[2] = box.origin.z;
  t.side = box.side, t.unit = 1 / box.side;
  t.not_finite = finite ? 0 : 1;
  t.bodies = finite ? static_cast<std::uint32_t>(count) : 0;
  *control = t;
}

/// Number of levels below the root that two keys have in common.
__device__ __forceinline__ int common_levels(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t different = a ^ b;
  if (different == 0) return hilbert::levels;
  const int highest = 63 - __clzll(static_cast<long long>(different));
  return (3 * hilbert::levels - 1 - highest) / 3;
}

__device__ __forceinline__ int Keys::common_levels(Index i, Index j) const {
  const int common = tree_build::common_levels(high[i], high[j]);
  if (common < hilbert::levels || low == nullptr) return common;
  return common + tree_build::common_levels(low[i], low[j]);
}

/// Copies the table into shared memory.
__device__ __forceinline__ const hilbert::Table& share(const hilbert::Table& table) {
  auto* const curve = engine::shared_memory<hilbert::Table>();
  constexpr int entries = hilbert::Table::orientations * 8;
  const auto* const from = &table.entry[0][0];
  auto* const to = &curve->entry[0][0];
  for (int k = static_cast<int>(threadIdx.x); k < entries; k += threads) to[k] = from[k];
  __syncthreads();
  return *curve;
}

template <class Real>
__device__ __forceinline__ std::uint64_t key_at(const StateView<const Real>& s, std::uint32_t slot,
                                                int stage, const TreeControl& control,
                                                const hilbert::Table& curve) {
  const Vec3d at = place_of(s, slot, control.unit) -
                   Vec3d{control.origin[0], control.origin[1], control.origin[2]};
  return hilbert::key_of(steps_of(at.x, stage), steps_of(at.y, stage), steps_of(at.z, stage),
                         curve);
}

template <class Real>
__global__ void __launch_bounds__(threads)
    make_keys(StateView<const Real> s, const TreeControl* control, hilbert::Table table,
              std::uint64_t* keys, std::uint32_t* slots) {
  const hilbert::Table& curve = share(table);
  const Index i = static_cast<Index>(blockIdx.x) * threads + threadIdx.x;
  if (i >= s.count) return;
  const auto slot = static_cast<std::uint32_t>(i);
  keys[i] = control->bodies > 0 ? key_at(s, slot, 0, *control, curve) : 0;
  slots[i] = slot;
}

/// The keys from `begin` to before `end`, which one rank sorts.
struct KeyRange {
  std::uint64_t begin, end;
  MOTE_HOST_DEVICE bool has(std::uint64_t key) const { return begin <= key && key < end; }
};

/// Shared memory of a table, then of a number for each warp.
inline constexpr std::size_t table_and_counts =
    sizeof(hilbert::Table) + threads / 32 * sizeof(std::uint32_t);
static_assert(sizeof(hilbert::Table) % sizeof(std::uint32_t) == 0);

/// Counts the keys of a range in each block of bodies, and if `keys` is not null writes them with
/// their slots, in the order of slots. `blocks`: receives the counts, or has the sums of those
/// before each block.
template <class Real>
__global__ void __launch_bounds__(threads)
    take_keys(StateView<const Real> s, const TreeControl* control, hilbert::Table table,
              const KeyRange* range, std::uint32_t* blocks, std::uint64_t* keys,
              std::uint32_t* slots) {
  const hilbert::Table& curve = share(table);
  auto* const of_warps =
      reinterpret_cast<std::uint32_t*>(engine::shared_memory<hilbert::Table>() + 1);
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32, warp = thread / 32;
  const Index i = static_cast<Index>(blockIdx.x) * threads + thread;
  const auto slot = static_cast<std::uint32_t>(i);
  const std::uint64_t key =
      i < s.count && control->bodies > 0 ? key_at(s, slot, 0, *control, curve) : 0;
  const bool taken = i < s.count && range->has(key);
  const unsigned lanes = __ballot_sync(all_lanes, taken);
  if (lane == 0) of_warps[warp] = static_cast<std::uint32_t>(__popc(lanes));
  __syncthreads();
  std::uint32_t before = 0, all = 0;
  for (int w = 0; w < threads / 32; ++w) {
    if (w < warp) before += of_warps[w];
    all += of_warps[w];
  }
  if (keys == nullptr) {
    if (thread == 0) blocks[blockIdx.x] = all;
    return;
  }
  if (!taken) return;
  const std::uint32_t to =
      blocks[blockIdx.x] + before + static_cast<std::uint32_t>(__popc(lanes & ((1u << lane) - 1)));
  keys[to] = key, slots[to] = slot;
}

/// Divides sorted keys into ranges of as many keys for each rank, and writes that of one.
__global__ void divide_keys(const std::uint64_t* sorted, Index count, int rank, int ranks,
                            KeyRange* range) {
  if (threadIdx.x != 0) return;
  range->begin = rank == 0 ? 0 : sorted[count * rank / ranks];
  range->end = rank + 1 == ranks ? ~std::uint64_t{0} : sorted[count * (rank + 1) / ranks];
}

/// Keys of the second stage for bodies of cells of the last level with more than `most` of them; 0
/// for all others.
template <class Real>
__global__ void __launch_bounds__(threads)
    make_low_keys(StateView<const Real> s, const std::uint64_t* high, const std::uint32_t* slots,
                  int most, const TreeControl* control, hilbert::Table table, std::uint64_t* low,
                  std::uint32_t* places) {
  const hilbert::Table& curve = share(table);
  const Index i = static_cast<Index>(blockIdx.x) * threads + threadIdx.x;
  if (i >= s.count) return;
  const std::uint64_t own = high[i];
  // The bodies before and after it in its cell, up to `most` of them.
  int before = 0, after = 0;
  while (before < most && i - before > 0 && high[i - before - 1] == own) ++before;
  while (before + after < most && i + after + 1 < s.count && high[i + after + 1] == own) ++after;
  const bool deep = control->bodies > 0 && before + after >= most;
  low[i] = deep ? key_at(s, slots[i], 1, *control, curve) : 0;
  if (places) places[i] = static_cast<std::uint32_t>(i);
}

__global__ void __launch_bounds__(threads)
    reorder_keys(const std::uint64_t* high, const std::uint32_t* slots, const std::uint32_t* places,
                 Index count, std::uint64_t* high_to, std::uint32_t* slots_to) {
  const Index i = static_cast<Index>(blockIdx.x) * threads + threadIdx.x;
  if (i >= count) return;
  high_to[i] = high[places[i]];
  slots_to[i] = slots[places[i]];
}

/// Orders the bodies of each key by their ids: the sort has left them in the order of slots, which
/// bodies may change during a run. A thread for each key that several bodies have, most often two.
/// More than a leaf's are left as they are without keys of a second stage, which are then needed.
__global__ void __launch_bounds__(threads)
    order_equal_keys(Keys keys, Index count, int leaf, const TreeControl* control,
                     const std::uint32_t* id, std::uint32_t* slots) {
  const Index first = static_cast<Index>(blockIdx.x) * threads + threadIdx.x;
  if (first + 1 >= count || control->bodies == 0) return;
  const auto same = [&](Index i, Index j) {
    return keys.high[i] == keys.high[j] && (keys.low == nullptr || keys.low[i] == keys.low[j]);
  };
  if (!same(first, first + 1) || (first > 0 && same(first - 1, first))) return;
  std::uint32_t* const own = slots + first;
  const auto before = [&](Index i, Index j) { return id[own[i]] < id[own[j]]; };
  Index size = 1;
  bool ordered = true;
  for (; first + size < count && same(first, first + size); ++size) {
    if (keys.low == nullptr && size > leaf) return;
    ordered = ordered && before(size - 1, size);
  }
  if (ordered) return;
  // A heap sort, since they may be many.
  const auto exchange = [&](Index i, Index j) {
    const std::uint32_t slot = own[i];
    own[i] = own[j], own[j] = slot;
  };
  const auto sift = [&](Index top, Index end) {
    for (Index child = 2 * top + 1; child < end; top = child, child = 2 * top + 1) {
      if (child + 1 < end && before(child, child + 1)) ++child;
      if (!before(top, child)) return;
      exchange(top, child);
    }
  };
  for (Index top = size / 2; top-- > 0;) sift(top, size);
  for (Index end = size; end-- > 1;) {
    exchange(0, end);
    sift(0, end);
  }
}

/// A cell starts with a body if that is its first one along the curve. The levels of those that
/// start with this body: first, ..., leaf; the last one is a leaf.
struct Started {
  std::uint8_t first, leaf;  ///< first > leaf: none
  __device__ __forceinline__ bool has(int level) const { return first <= level && level <= leaf; }
};

inline std::size_t count_shared(int leaf) {
  return 2 * static_cast<std::size_t>(threads + leaf + 1);
}

/// Which cells start with each body, in a tree without sparse cells; `refined`: a copy. `firsts`
/// receives the first bodies of leaves, in any order.
__global__ void __launch_bounds__(threads)
    find_started(Keys keys, Index count, int leaf, TreeControl* control, Started* started,
                 Started* refined, std::uint32_t* firsts) {
  auto* levels = engine::shared_memory<std::uint8_t>();
  const int width = threads + leaf + 1;
  auto* other = levels + width;
  const int thread = static_cast<int>(threadIdx.x);
  const Index begin = static_cast<Index>(blockIdx.x) * threads;
  // levels[k], from body begin - leaf + k: what it and the leaf-th body after it have in common,
  // one more. A cell with more than `leaf` bodies has such a pair; 0: there is none.
  for (int k = thread; k < width; k += threads) {
    const Index j = begin - leaf + k;
    const bool valid = j >= 0 && j + leaf < count && k < width - 1;
    levels[k] = valid ? static_cast<std::uint8_t>(1 + keys.common_levels(j, j + leaf)) : 0;
  }
  __syncthreads();
  // The largest of the leaf + 1 pairs around a body, by doubling.
  int length = 1;
  for (; 2 * length <= leaf + 1; length *= 2) {
    for (int k = thread; k < width; k += threads) {
      const std::uint8_t a = levels[k], b = k + length < width ? levels[k + length] : 0;
      other[k] = a > b ? a : b;
    }
    __syncthreads();
    auto* const swapped = levels;
    levels = other, other = swapped;
  }
  const Index i = begin + thread;
  Started own{1, 0};
  if (i < count && control->bodies > 0) {
    const std::uint8_t a = levels[thread], b = levels[thread + leaf + 1 - length];
    const int split = a > b ? a : b, deepest = keys.deepest();
    if (split > deepest && deepest == hilbert::levels) control->needed_deep = 1;
    own.leaf = static_cast<std::uint8_t>(split < deepest ? split : deepest);
    own.first = static_cast<std::uint8_t>(i == 0 ? 0 : 1 + keys.common_levels(i - 1, i));
  }
  if (i < count) started[i] = refined[i] = own;
  // The root alone is not divided any more.
  const bool is_first = own.first <= own.leaf && own.leaf > 0;
  const int lane = thread % 32;
  const unsigned with = __ballot_sync(all_lanes, is_first);
  if (with == 0) return;
  std::uint32_t at = 0;
  if (lane == 0) at = atomicAdd(&control->first_bodies, static_cast<std::uint32_t>(__popc(with)));
  at = __shfl_sync(all_lanes, at, 0);
  if (is_first)
    firsts[at + static_cast<std::uint32_t>(__popc(with & ((1u << lane) - 1)))] =
        static_cast<std::uint32_t>(i);
}

/// Number of bodies that have `level` levels in common with body i: its cell.
__device__ std::uint32_t cell_count(const Keys& keys, Index i, int level, Index count) {
  // By steps that double, and then halve, in both directions.
  const auto reach = [&](Index direction) {
    const auto inside = [&](Index j) {
      return j >= 0 && j < count && keys.common_levels(i, j) >= level;
    };
    Index at = i, step = 1;
    while (inside(at + direction * step)) at += direction * step, step *= 2;
    for (; step > 0; step /= 2)
      if (inside(at + direction * step)) at += direction * step;
    return at;
  };
  return static_cast<std::uint32_t>(reach(1) - reach(-1) + 1);
}

/// Leaves of sparse cells have fewer bodies: of the leaf so far whose first body is i, the bodies
/// become those of deeper ones. By a warp.
__device__ void refine_leaf(const Keys& keys, Index i, Index count, int leaf, TreeControl* control,
                            const Started* started, Started* refined) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int level = started[i].leaf, few = leaf_of_sparse(leaf);
  // Its bodies are those whose keys have the levels of the first one.
  int size = 1;
  for (int base = 1; base <= leaf; base += 32) {
    const Index j = i + base + lane;
    const bool inside = base + lane <= leaf && j < count && keys.common_levels(i, j) >= level;
    const int more = __popc(__ballot_sync(all_lanes, inside));
    size += more;
    if (more < 32) break;
  }
  if (size > leaf || size <= few) return;
  bool sparse = false;
  for (int base = 1; base <= level && !sparse; base += 32) {
    const int levels = base + lane;
    const double least = levels <= level
                             ? least_around_sparse(static_cast<std::uint32_t>(size), levels, leaf)
                             : HUGE_VAL;
    bool own = false;
    if (least < static_cast<double>(count)) {
      // A cell with more bodies has half of them on one side of this one. Most have not.
      const auto half = static_cast<Index>(0.5 * least);
      const bool has_many =
          (i + half < count && keys.common_levels(i, i + half) >= level - levels) ||
          (i >= half && keys.common_levels(i, i - half) >= level - levels);
      own = has_many && cell_count(keys, i, level - levels, count) > least;
    }
    sparse = __ballot_sync(all_lanes, own) != 0;
  }
  if (!sparse) return;
  const int deepest = keys.deepest();
  const Index end = i + size;
  for (Index j = i + lane; j < end; j += 32) {
    int split = level;
    for (Index k = j - few > i ? j - few : i; k <= j && k + few < end; ++k) {
      const int common = 1 + keys.common_levels(k, k + few);
      split = common > split ? common : split;
    }
    if (split > deepest && deepest == hilbert::levels) control->needed_deep = 1;
    refined[j].leaf = static_cast<std::uint8_t>(split < deepest ? split : deepest);
  }
}

/// A warp for each leaf.
__global__ void __launch_bounds__(threads)
    refine_sparse(Keys keys, Index count, int leaf, TreeControl* control,
                  const std::uint32_t* firsts, const Started* started, Started* refined) {
  const std::uint32_t leaves = control->first_bodies;
  for (std::uint32_t k = (blockIdx.x * threads + threadIdx.x) / 32; k < leaves;
       k += gridDim.x * threads / 32)
    refine_leaf(keys, firsts[k], count, leaf, control, started, refined);
}

/// How many cells of each level start in each block.
__global__ void __launch_bounds__(threads)
    count_cells(Keys keys, Index count, const Started* started, std::uint32_t* counts) {
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32;
  const Index i = static_cast<Index>(blockIdx.x) * threads + thread;
  const Started own = i < count ? started[i] : Started{1, 0};
  auto* const of_warps = engine::shared_memory<std::uint8_t>();  // counts up to 32
  const int counters = keys.counters();
  for (int k = 0; k < counters; ++k) {
    const bool one = k < counters - 1 ? own.has(k) : own.first <= own.leaf;
    const unsigned with = __ballot_sync(all_lanes, one);
    if (lane == 0) of_warps[thread / 32 * counters + k] = static_cast<std::uint8_t>(__popc(with));
  }
  __syncthreads();
  if (thread < counters) {
    std::uint32_t sum = 0;
    for (int warp = 0; warp < threads / 32; ++warp) sum += of_warps[warp * counters + thread];
    counts[static_cast<std::size_t>(thread) * gridDim.x + blockIdx.x] = sum;
  }
}

/// `starts`: the scanned counts, and their sum. Writes the cells that start with bodies of this
/// block.
__global__ void __launch_bounds__(threads)
    make_cells(Keys keys, const Started* started, Index count, const std::uint32_t* starts,
               DeviceTreeView tree) {
  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32, warp = thread / 32;
  const Index i = static_cast<Index>(blockIdx.x) * threads + thread;
  const auto blocks = static_cast<std::size_t>(gridDim.x);
  const int deepest = keys.deepest(), counters = keys.counters();
  const std::uint32_t cells = starts[(counters - 1) * blocks];
  int depth = 0;
  while (depth < deepest && starts[static_cast<std::size_t>(depth + 1) * blocks] < cells) ++depth;
  const bool fits = cells <= tree.cell_capacity && depth < static_cast<int>(tree.levels) &&
                    tree.control->needed_deep == 0;
  if (blockIdx.x == 0 && thread == 0) {
    TreeControl& control = *tree.control;
    control.needed_cells = cells, control.needed_levels = static_cast<std::uint32_t>(depth + 1);
    control.cells = fits ? cells : 0;
    control.leaves = fits ? starts[counters * blocks] - cells : 0;
    for (int level = 0; level < most_counters; ++level)
      control.level_first[level] =
          fits ? (level <= deepest ? starts[static_cast<std::size_t>(level) * blocks] : cells) : 0;
  }
  if (!fits || cells == 0) return;
  const Started own = i < count ? started[i] : Started{1, 0};
  auto* const of_warps = engine::shared_memory<std::uint8_t>();
  for (int k = 0; k < counters; ++k) {
    const bool one = k < counters - 1 ? own.has(k) : own.first <= own.leaf;
    const unsigned with = __ballot_sync(all_lanes, one);
    if (lane == 0) of_warps[warp * counters + k] = static_cast<std::uint8_t>(__popc(with));
  }
  __syncthreads();
  std::uint32_t below = 0;  // the cell of the next level that starts here
  for (int k = counters - 1; k >= 0; --k) {
    const bool one = k < counters - 1 ? own.has(k) : own.first <= own.leaf;
    const unsigned with = __ballot_sync(all_lanes, one);
    if (!one) continue;
    std::uint32_t index = starts[static_cast<std::size_t>(k) * blocks + blockIdx.x];
    for (int w = 0; w < warp; ++w) index += of_warps[w * counters + k];
    index += static_cast<std::uint32_t>(__popc(with & ((1u << lane) - 1)));
    if (k == counters - 1) {
      below = index - cells;  // its number among the leaves
      continue;
    }
    tree.first[index] = static_cast<std::uint32_t>(i);
    tree.level[index] = static_cast<std::uint8_t>(k);
    if (k == own.leaf) {
      tree.children[index] = 0;
      tree.child[index] = 0;
      tree.leaves[below] = index;
    } else {
      tree.children[index] = 1;  // or more: finish_cells
      tree.child[index] = below;
    }
    below = index;
  }
}

/// Numbers of bodies and children, and parents.
__global__ void __launch_bounds__(threads) finish_cells(Keys keys, DeviceTreeView tree) {
  const TreeControl& control = *tree.control;
  for (std::uint32_t c = blockIdx.x * threads + threadIdx.x; c < control.cells;
       c += gridDim.x * threads) {
    const std::uint32_t first = tree.first[c];
    const int level = tree.level[c];
    // The first body of another cell of this level, by steps that double and then halve.
    std::uint32_t inside = first, step = 1;
    while (inside + step < control.bodies && keys.common_levels(first, inside + step) >= level)
      inside += step, step *= 2;
    for (; step > 0; step /= 2)
      if (inside + step < control.bodies && keys.common_levels(first, inside + step) >= level)
        inside += step;
    const std::uint32_t end = inside + 1;
    tree.count[c] = end - first;
    tree.massive[c] = end - first;
    if (c == 0) tree.parent[c] = 0;
    if (tree.children[c] == 0) continue;
    const std::uint32_t child = tree.child[c], last = control.level_first[level + 2];
    std::uint32_t number = 0;
    while (child + number < last && tree.first[child + number] < end) {
      tree.parent[child + number] = c;
      ++number;
    }
    tree.children[c] = static_cast<std::uint8_t>(number);
  }
}

/// Bodies with mass become the first ones of their leaf; a warp per leaf. `other` receives the
/// order.
template <class Real>
__global__ void __launch_bounds__(threads)
    put_massive_first(StateView<const Real> s, DeviceTreeView tree, std::uint32_t* other) {
  const std::uint32_t lane = threadIdx.x % 32;
  for (std::uint32_t k = (blockIdx.x * threads + threadIdx.x) / 32; k < tree.control->leaves;
       k += gridDim.x * threads / 32) {
    const std::uint32_t c = tree.leaves[k], first = tree.first[c], count = tree.count[c];
    std::uint32_t massive = 0;
    for (const bool with : {true, false}) {
      std::uint32_t to = with ? 0 : massive;
      for (std::uint32_t base = 0; base < count; base += 32) {
        const bool valid = base + lane < count;
        const std::uint32_t slot = valid ? tree.order[first + base + lane] : 0;
        const bool chosen = valid && (s.mass[slot] != 0) == with;
        const unsigned lanes = __ballot_sync(all_lanes, chosen);
        if (chosen)
          other[first + to + static_cast<std::uint32_t>(__popc(lanes & ((1u << lane) - 1)))] = slot;
        to += static_cast<std::uint32_t>(__popc(lanes));
      }
      if (with) massive = to;
    }
    if (lane == 0) tree.massive[c] = massive;
  }
}

}  // namespace mote::sim::tree_build
