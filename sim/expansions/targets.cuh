#pragma once

#include <cstdint>

#include "engine/exec/launch.cuh"
#include "sim/expansions/tree_view.h"

/// Ranges of a tree along the curve: which of its cells have bodies in a range, and which have no
/// others.
namespace mote::sim::targets {

/// Kernels have a thread for each level.
inline constexpr int threads = 64;
static_assert(threads >= Targets::levels);

/// The first of [begin, end) for which is(index), which then holds for all after it; else `end`.
template <class Is>
__device__ std::uint32_t first_that(std::uint32_t begin, std::uint32_t end, const Is& is) {
  while (begin < end) {
    const std::uint32_t middle = begin + (end - begin) / 2;
    if (is(middle))
      end = middle;
    else
      begin = middle + 1;
  }
  return begin;
}

/// The leaves that begin with bodies of a range, and their bodies.
struct LeafRange {
  std::uint32_t begin, end, first_body, end_body;

  __device__ LeafRange(const DeviceTreeView& tree, std::uint32_t first, std::uint32_t last) {
    const TreeControl& control = *tree.control;
    const auto leaf_from = [&](std::uint32_t body) {
      if (body == 0 || body >= control.bodies) return body == 0 ? 0 : control.leaves;
      return first_that(0, control.leaves,
                        [&](std::uint32_t k) { return tree.first[tree.leaves[k]] >= body; });
    };
    const auto body_of = [&](std::uint32_t leaf) {
      return leaf < control.leaves ? tree.first[tree.leaves[leaf]] : control.bodies;
    };
    begin = leaf_from(first), end = leaf_from(last);
    first_body = body_of(begin), end_body = body_of(end);
  }
};

/// Makes the leaves that start from body `first` to before `end` along the curve, and all cells
/// above them, the targets. Empties the lists.
__global__ void __launch_bounds__(threads)
    set_targets(DeviceTreeView tree, std::uint32_t first, std::uint32_t end) {
  TreeControl& control = *tree.control;
  Targets& to = control.targets;
  const auto level = static_cast<int>(threadIdx.x);
  const LeafRange leaves(tree, first, end);
  const std::uint32_t from = leaves.first_body, until = leaves.end_body;
  std::uint32_t begin = 0, cells = 0;
  if (level < Targets::levels && leaves.begin < leaves.end) {
    const std::uint32_t low = control.level_first[level], high = control.level_first[level + 1];
    begin = low;
    if (from > 0)
      begin = first_that(low, high,
                         [&](std::uint32_t c) { return tree.first[c] + tree.count[c] > from; });
    if (until < control.bodies)
      cells =
          first_that(begin, high, [&](std::uint32_t c) { return tree.first[c] >= until; }) - begin;
    else
      cells = high - begin;
  }
  if (level < Targets::levels) to.begin[level] = begin, to.row[level + 1] = cells;
  __syncthreads();
  if (level > 0) return;
  to.leaf_begin = leaves.begin, to.leaf_end = leaves.end;
  to.first = from;
  to.row[0] = 0;
  for (int k = 0; k < Targets::levels; ++k) to.row[k + 1] += to.row[k];
  control.list_units = control.extra_far = control.extra_near = control.extra_bodies = 0;
  control.lists_cut = 0;
  control.near = control.far = 0;
}

/// Finds the cells of which all bodies are in the leaves that start from body `first` to before
/// `end` along the curve.
__global__ void __launch_bounds__(threads)
    find_inside(DeviceTreeView tree, std::uint32_t first, std::uint32_t end) {
  TreeControl& control = *tree.control;
  CellsInside& to = control.inside;
  const auto level = static_cast<int>(threadIdx.x);
  if (level >= Targets::levels) return;
  const LeafRange leaves(tree, first, end);
  const std::uint32_t low = control.level_first[level], high = control.level_first[level + 1];
  const std::uint32_t begin =
      first_that(low, high, [&](std::uint32_t c) { return tree.first[c] >= leaves.first_body; });
  to.begin[level] = begin;
  to.end[level] = first_that(begin, high, [&](std::uint32_t c) {
    return tree.first[c] + tree.count[c] > leaves.end_body;
  });
  if (level > 0) return;
  to.leaf_begin = leaves.begin, to.leaf_end = leaves.end;
  to.first_body = leaves.first_body, to.end_body = leaves.end_body;
}

}  // namespace mote::sim::targets
