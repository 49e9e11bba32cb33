#pragma once

#include "sim/expansions/gravity_formula.h"
#include "sim/expansions/walk.cuh"
#include "sim/force_request.h"

/// The bodies of leaves: sums over those of near leaves, and their own expansion. A warp per leaf.
namespace mote::sim::near_sums {

using engine::all_lanes;
using engine::Vec3;
using engine::Vec3d;

inline constexpr int tile = 128;  ///< sources in shared memory

struct NearLeaf {
  std::uint32_t first, before;  ///< before: bodies of leaves before it, of those in shared memory
};

template <class T>
inline constexpr std::size_t shared_bytes = tile * sizeof(LeafBody<T>) + 32 * sizeof(NearLeaf) +
                                            32 * 3 * sizeof(T);

/// Where the results of the bodies go.
template <class Real>
struct Result {
  engine::Index count;
  Real *ax, *ay, *az;
  double gravity;        ///< G times the unit of mass
  const double* factor;  ///< q / m of the charge in each slot; null: all are 1
  double* potential;     ///< potential at each body, in the order and units of the tree
};

template <class Real>
__device__ __forceinline__ double acceleration_unit(const DeviceTreeView& tree,
                                                    const Result<Real>& to, std::uint32_t slot) {
  const double unit = to.gravity * tree.control->unit * tree.control->unit;
  return to.factor ? unit * to.factor[slot] : unit;
}

/// Sums of the targets of a lane.
template <int group, class T>
struct Sums {
  Vec3<T> a[group];
  T depth[group];
};

/// Some bodies of a leaf, near leaves, and where the sums go: into those of the bodies, or to those
/// of an extra chunk.
struct Task {
  std::uint32_t target, begin;
  int count;
  ListView::Chunk sources;
  NearSum* extra;  ///< sums of the first of these bodies; null: there are none
};

/// Loops over the near leaves, and calls use(tile, count) for their bodies, in units of `unit` from
/// `center`.
template <class T, class Use>
__device__ __forceinline__ void for_near_bodies(const DeviceTreeView& tree,
                                                const ExpansionView<T>& e, const Task& task,
                                                Vec3d center, T unit, unsigned char* scratch,
                                                int lane, const Use& use) {
  auto* const bodies = reinterpret_cast<LeafBody<T>*>(scratch);
  auto* const leaves = reinterpret_cast<NearLeaf*>(bodies + tile);
  auto* const shift = reinterpret_cast<T*>(leaves + 32);
  walk::for_chunk(task.sources, lane, [&](std::uint32_t s, bool valid) {
    // Bodies in one place do not act on each other.
    const std::uint32_t cell = e.images.cell(s);
    const bool is_point = s == task.target && tree.radius[cell] == 0;
    const std::uint32_t count = valid && !is_point ? tree.massive[cell] : 0;
    std::uint32_t end = count;
    for (int distance = 1; distance < 32; distance *= 2) {
      const std::uint32_t other = __shfl_up_sync(all_lanes, end, static_cast<unsigned>(distance));
      if (lane >= distance) end += other;
    }
    const std::uint32_t all = __shfl_sync(all_lanes, end, 31);
    __syncwarp();
    const Vec3d from = e.images.relative(center, s, tree.control->unit);
    leaves[lane] = {tree.first[cell], end - count};
    shift[lane] = static_cast<T>(tree.x[cell] - from.x) * unit;
    shift[32 + lane] = static_cast<T>(tree.y[cell] - from.y) * unit;
    shift[64 + lane] = static_cast<T>(tree.z[cell] - from.z) * unit;
    __syncwarp();
    for (std::uint32_t base = 0; base < all; base += tile) {
#pragma unroll
      for (int part = 0; part < tile; part += 32) {
        const std::uint32_t k = base + static_cast<std::uint32_t>(part + lane);
        if (k >= all) continue;
        int leaf = 0;  // the last one that does not begin after k
#pragma unroll
        for (int step = 16; step > 0; step /= 2)
          if (leaves[leaf + step].before <= k) leaf += step;
        const LeafBody<T> b = e.bodies[leaves[leaf].first + (k - leaves[leaf].before)];
        using N = engine::Number<T>;
        bodies[part + lane] = {N::multiply_add(b.x, unit, shift[leaf]),
                               N::multiply_add(b.y, unit, shift[32 + leaf]),
                               N::multiply_add(b.z, unit, shift[64 + leaf]), b.mass};
      }
      __syncwarp();
      use(bodies, static_cast<int>(all - base < tile ? all - base : tile));
      __syncwarp();
    }
  });
}

/// A task of at most 32 x group bodies. Lanes are targets, `group` each, and slices of the sources,
/// so that few are idle. `softening2`: in units of the leaf's side.
template <int group, GravityQuantity quantity, ZeroDistance guard, class T, class Real>
__device__ __forceinline__ void sum_group(const DeviceTreeView& tree, const ExpansionView<T>& e,
                                          const Task& task, T softening2, const Result<Real>& to,
                                          unsigned char* scratch, int lane) {
  const std::uint32_t target = task.target, begin = task.begin;
  const int count = task.count;
  NearSum* const extra = task.extra;
  const Vec3d center{tree.x[target], tree.y[target], tree.z[target]};
  const auto unit = static_cast<T>(ldexp(1.0, tree.level[target]));
  const int across = (count + group - 1) / group, slices = 32 / across;
  const int own = lane % across, slice = lane / across;
  const bool works = slice < slices;
  Vec3<T> at[group];
#pragma unroll
  for (int k = 0; k < group; ++k) {
    const int i = own + k * across;
    const LeafBody<T> b = e.bodies[begin + static_cast<std::uint32_t>(i < count ? i : count - 1)];
    at[k] = {b.x * unit, b.y * unit, b.z * unit};
  }
  // A chunk has at most 128 leaves: some thousand terms, as many as sums in single precision should
  // have.
  Sums<group, T> sum{};
  for_near_bodies(tree, e, task, center, unit, scratch, lane,
                  [&](const LeafBody<T>* bodies, int sources) {
                    if (!works) return;
#pragma unroll 2
                    for (int j = slice; j < sources; j += slices) {
                      const LeafBody<T> b = bodies[j];
#pragma unroll
                      for (int k = 0; k < group; ++k) {
                        const Vec3<T> d{b.x - at[k].x, b.y - at[k].y, b.z - at[k].z};
                        if constexpr (quantity == GravityQuantity::attraction)
                          add_attraction<guard>(d, b.mass, softening2, sum.a[k]);
                        else
                          sum.depth[k] = engine::Number<T>::multiply_add(
                              b.mass, inverse_distance(d, softening2), sum.depth[k]);
                      }
                    }
                  });
  // Sums of the slices, in their order.
  const auto sum_of_slices = [&](T value) {
    double all = value;
    for (int k = 1; k < slices; ++k) all += double(__shfl_sync(all_lanes, value, own + k * across));
    return all;
  };
#pragma unroll
  for (int k = 0; k < group; ++k) {
    const int i = own + k * across;
    const bool stores = slice == 0 && i < count;
    const std::uint32_t b = begin + static_cast<std::uint32_t>(i);
    if constexpr (quantity == GravityQuantity::attraction) {
      const Vec3d a{sum_of_slices(sum.a[k].x), sum_of_slices(sum.a[k].y),
                    sum_of_slices(sum.a[k].z)};
      if (!stores) continue;
      const double in_tree = double(unit) * double(unit);
      if (extra != nullptr) {
        extra[i] = {in_tree * a.x, in_tree * a.y, in_tree * a.z};
        continue;
      }
      if (!e.has_chosen(b, 1)) continue;
      const std::uint32_t slot = tree.order[b];
      const double factor = acceleration_unit(tree, to, slot) * in_tree;
      to.ax[slot] += static_cast<Real>(factor * a.x);
      to.ay[slot] += static_cast<Real>(factor * a.y);
      to.az[slot] += static_cast<Real>(factor * a.z);
    } else {
      const double depth = sum_of_slices(sum.depth[k]);
      if (stores && extra != nullptr)
        extra[i] = {depth * double(unit), 0, 0};
      else if (stores)
        to.potential[b] = depth * double(unit);
    }
  }
}

/// Targets of a lane, up to 4, with which a warp takes the least turns for each source of `count`
/// targets, up to 64; the most of equal ones, so that a source is read for more targets.
__device__ __forceinline__ int group_for(int count) {
  int best = 4, most = 32 / ((count + 3) / 4);
  for (int group = 3; group > 0; --group) {
    const int across = (count + group - 1) / group;
    if (across > 32) break;
    if (const int slices = 32 / across; group * most < best * slices) best = group, most = slices;
  }
  return best;
}

template <GravityQuantity quantity, class T, class Real>
__global__ void __launch_bounds__(walk::sum_threads, sizeof(T) == 4 ? 24 : 12)
    sum_near_bodies(DeviceTreeView tree, ExpansionView<T> e, Result<Real> to) {
  const auto lane = static_cast<int>(threadIdx.x);
  auto* const scratch = engine::shared_memory<unsigned char>();
  const Targets& targets = tree.control->targets;
  const walk::WorkItem item(targets.leaf_end - targets.leaf_begin, tree.control->extra_near);
  if (!item.is_valid) return;
  const ListView& lists = e.lists;
  const std::uint32_t target = item.is_extra ? lists.extra_near[item.number].cell
                                             : tree.leaves[targets.leaf_begin + item.number];
  if (!e.has_chosen(tree.first[target], tree.count[target])) return;
  const std::uint32_t head =
      item.is_extra ? lists.extra_near[item.number].unit : lists.rest[target];
  const double unit = ldexp(1.0, tree.level[target]);
  const auto softening2 = static_cast<T>(walk::squared_softening(tree, e) * unit * unit);
  const bool guarded = guard_for(softening2) != ZeroDistance::none;
  Task task{};
  task.target = target;
  // Without massive bodies around there is no list.
  if (head != 0) task.sources = lists.chunk(head);
  const std::uint32_t from = tree.first[target], end = from + tree.count[target];
  for (task.begin = from; task.begin < end; task.begin += 64) {
    task.count = static_cast<int>(end - task.begin < 64 ? end - task.begin : 64);
    task.extra = item.is_extra ? e.extra_sums + task.sources.sums + (task.begin - from) : nullptr;
    const auto sum = [&]<int group>(expansion::Constant<group>) {
      if (guarded)
        sum_group<group, quantity, ZeroDistance::coincident>(tree, e, task, softening2, to, scratch,
                                                             lane);
      else
        sum_group<group, quantity, ZeroDistance::none>(tree, e, task, softening2, to, scratch,
                                                       lane);
    };
    const int group = group_for(task.count);
    if (group == 1) sum(expansion::Constant<1>{});
    if (group == 2) sum(expansion::Constant<2>{});
    if (group == 3) sum(expansion::Constant<3>{});
    if (group == 4) sum(expansion::Constant<4>{});
  }
}

/// The accelerations of chosen bodies become NaN, as sums over all pairs would be if a position is
/// not finite.
template <class Real>
__global__ void __launch_bounds__(walk::threads)
    fill_not_a_number(Result<Real> to, ChosenBodies chosen) {
  const engine::Index k = static_cast<engine::Index>(blockIdx.x) * walk::threads + threadIdx.x;
  if (k >= chosen.of(to.count)) return;
  const engine::Index i = chosen_slot(chosen.slots, k);
  to.ax[i] = to.ay[i] = to.az[i] = static_cast<Real>(NAN);
}

/// Adds what the expansions of leaves give at their bodies.
template <int p, GravityQuantity quantity, class T, class Real>
__global__ void __launch_bounds__(walk::threads)
    evaluate_expansions(DeviceTreeView tree, ExpansionView<T> e, Result<Real> to) {
  using N = engine::Number<T>;
  const auto lane = threadIdx.x % 32;
  const Targets& targets = tree.control->targets;
  const std::uint32_t leaf = targets.leaf_begin + (blockIdx.x * walk::threads + threadIdx.x) / 32;
  if (leaf >= targets.leaf_end) return;
  const std::uint32_t c = tree.leaves[leaf], first = tree.first[c], count = tree.count[c];
  if (!e.has_chosen(first, count)) return;
  const auto unit = static_cast<T>(ldexp(1.0, tree.level[c]));
  const T* const local =
      e.locals + static_cast<std::size_t>(targets.row_of(c, tree.level[c])) * e.stride;
  const std::uint32_t head = e.lists.rest[c];
  for (std::uint32_t b = lane; b < count; b += 32) {
    const LeafBody<T> body = e.bodies[first + b];
    const T component[3] = {body.x * unit, body.y * unit, body.z * unit};
    constexpr int terms = quantity == GravityQuantity::attraction ? expansion::count_below(p)
                                                                  : expansion::count_of(p);
    T at[terms];  // x^k / k!
    at[0] = T(1);
    T a[3]{};
    T depth(0);
    expansion::unrolled<terms>([&]<int k>(expansion::Constant<k>) {
      if constexpr (k > 0) {
        constexpr int axis = expansion::tables.axis[k], less = expansion::tables.one_less[k];
        constexpr double part = 1.0 / expansion::tables.component[k];
        at[k] = component[axis] * at[less] * T(part);
      }
      if constexpr (quantity == GravityQuantity::attraction) {
        constexpr expansion::MultiIndex m = expansion::tables.index[k];
        constexpr int along[3] = {expansion::index_of(m.x + 1, m.y, m.z),
                                  expansion::index_of(m.x, m.y + 1, m.z),
                                  expansion::index_of(m.x, m.y, m.z + 1)};
        expansion::unrolled<3>([&]<int axis>(expansion::Constant<axis>) {
          constexpr int from = along[axis];
          a[axis] = N::multiply_add(at[k], local[from], a[axis]);
        });
      } else {
        depth = N::multiply_add(at[k], local[k], depth);
      }
    });
    Vec3d sum{double(unit) * double(a[0]), double(unit) * double(a[1]),
              double(unit) * double(a[2])};
    if constexpr (quantity == GravityQuantity::potential) sum.x = double(depth);
    // The rest of a long list.
    if (head != 0)
      for (std::uint32_t next = e.lists.chunk(head).next; next != 0;
           next = e.lists.chunk(next).next) {
        const NearSum extra = e.extra_sums[e.lists.chunk(next).sums + b];
        sum += Vec3d{extra.x, extra.y, extra.z};
      }
    if constexpr (quantity == GravityQuantity::attraction) {
      if (!e.has_chosen(first + b, 1)) continue;
      const std::uint32_t slot = tree.order[first + b];
      const double factor = acceleration_unit(tree, to, slot);
      to.ax[slot] += static_cast<Real>(factor * sum.x);
      to.ay[slot] += static_cast<Real>(factor * sum.y);
      to.az[slot] += static_cast<Real>(factor * sum.z);
    } else {
      to.potential[first + b] += sum.x;
    }
  }
}

}  // namespace mote::sim::near_sums
