#include "sim/expansions/tree.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/check.h"
#include "engine/exec/parallel.h"
#include "engine/exec/ranks.h"
#include "sim/expansions/tree_box.h"

namespace mote::sim {
namespace {

using engine::Cpu;
using engine::Index;
using engine::Vec3d;

// Keys have 21 levels; a cell at the last of them gets keys of its own, once.
static_assert(Tree::deepest == 2 * hilbert::levels);

/// Scale of a cell whose bodies are all at its center: its expansions have one coefficient.
constexpr double smallest_scale = 0x1p-60;

struct Bounds {
  Vec3d low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  double mass = 0;
  double not_finite = 0;  ///< 0, or NaN if a number is not finite
};

template <class Real>
Bounds bounds_of(const Cpu& exec, Index n, const Real* x, const Real* y, const Real* z,
                 const Real* mass) {
  std::vector<Bounds> found(
      static_cast<std::size_t>((n + engine::loop_chunk - 1) / engine::loop_chunk));
  engine::parallel_chunks(exec.threads, n, [&](Index begin, Index end) {
    Bounds& b = found[static_cast<std::size_t>(begin / engine::loop_chunk)];
    for (Index i = begin; i < end; ++i) {
      b.low = {std::min(b.low.x, double(x[i])), std::min(b.low.y, double(y[i])),
               std::min(b.low.z, double(z[i]))};
      b.high = {std::max(b.high.x, double(x[i])), std::max(b.high.y, double(y[i])),
                std::max(b.high.z, double(z[i]))};
      b.mass += std::fabs(double(mass[i]));
      b.not_finite += 0 * (double(x[i]) + double(y[i]) + double(z[i]) + double(mass[i]));
    }
  });
  Bounds all;
  for (const Bounds& b : found) {
    all.low = {std::min(all.low.x, b.low.x), std::min(all.low.y, b.low.y),
               std::min(all.low.z, b.low.z)};
    all.high = {std::max(all.high.x, b.high.x), std::max(all.high.y, b.high.y),
                std::max(all.high.z, b.high.z)};
    all.mass += b.mass;
    all.not_finite += b.not_finite;
  }
  return all;
}

}  // namespace

template <class Real>
bool Tree::build(const Cpu& exec, Index n, const Real* x, const Real* y, const Real* z,
                 const Real* mass, const std::uint32_t* id, int leaf) {
  MOTE_EXPECT(n > 0 && leaf > 0);
  const Bounds bounds = bounds_of(exec, n, x, y, z, mass);
  if (bounds.not_finite != 0) return false;
  const TreeBox box = TreeBox::around(bounds.low, bounds.high);
  bodies_.length = box.side;
  bodies_.mass_unit = bounds.mass > 0 ? power_of_two_above(bounds.mass) : 1;
  const double unit = 1 / bodies_.length;
  origin_ = box.origin;

  const auto size = static_cast<std::size_t>(n);
  for (std::vector<double>* column : {&bodies_.x, &bodies_.y, &bodies_.z, &bodies_.mass})
    column->resize(size);
  bodies_.slot.resize(size);
  order_.resize(size);
  place_.resize(size);
  engine::parallel_chunks(exec.threads, n, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const auto slot = static_cast<std::uint32_t>(i);
      // Exact: lengths are scaled by a power of two, and no origin is subtracted.
      place_[slot] = {double(x[i]) * unit, double(y[i]) * unit, double(z[i]) * unit};
      order_[slot] = {key_at(slot, 0), id[i], slot};
    }
  });
  if (exec.ranks)
    sort_shared(exec);
  else
    sort(exec);
  make_cells(exec, leaf);
  put_massive_first(exec, mass);
  const double mass_unit = 1 / bodies_.mass_unit;
  engine::parallel_chunks(exec.threads, n, [&](Index begin, Index end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      const std::uint32_t slot = order_[i].slot;
      const Vec3d at = place_[slot];
      bodies_.x[i] = at.x, bodies_.y[i] = at.y, bodies_.z[i] = at.z;
      bodies_.mass[i] = double(mass[slot]) * mass_unit;
      bodies_.slot[i] = slot;
    }
  });
  find_centers(exec);
  return true;
}

template bool Tree::build(const Cpu&, Index, const float*, const float*, const float*, const float*,
                          const std::uint32_t*, int);
template bool Tree::build(const Cpu&, Index, const double*, const double*, const double*,
                          const double*, const std::uint32_t*, int);

std::uint64_t Tree::key_at(std::uint32_t slot, int stage) const {
  const Vec3d at = place_[slot] - origin_;
  return hilbert::key_of(steps_of(at.x, stage), steps_of(at.y, stage), steps_of(at.z, stage));
}

/// Sorts runs, which are then merged, so that threads share the work; all orders are the same,
/// since no two bodies are equal.
void Tree::sort(const Cpu& exec) {
  constexpr std::size_t run = 1 << 15;
  const std::size_t n = order_.size();
  engine::parallel_tasks(exec.threads, static_cast<Index>((n + run - 1) / run), [&](Index task) {
    const std::size_t begin = static_cast<std::size_t>(task) * run, end = std::min(begin + run, n);
    std::sort(order_.begin() + static_cast<std::ptrdiff_t>(begin),
              order_.begin() + static_cast<std::ptrdiff_t>(end));
  });
  std::vector<Keyed> other(n > run ? n : 0);
  for (std::size_t width = run; width < n; width *= 2) {
    const std::size_t pairs = (n + 2 * width - 1) / (2 * width);
    engine::parallel_tasks(exec.threads, static_cast<Index>(pairs), [&](Index pair) {
      const std::size_t begin = static_cast<std::size_t>(pair) * 2 * width;
      const std::size_t middle = std::min(begin + width, n), end = std::min(begin + 2 * width, n);
      const Keyed* from = order_.data();
      std::merge(from + begin, from + middle, from + middle, from + end, other.data() + begin);
    });
    order_.swap(other);
  }
}

/// Each rank sorts the bodies of a range of keys, which has as many as those of others in the tree
/// before, and receives theirs. All orders are the same, wherever the ranges end.
void Tree::sort_shared(const Cpu& exec) {
  const auto rank = static_cast<std::size_t>(exec.ranks->rank()),
             ranks = static_cast<std::size_t>(exec.ranks->size());
  if (first_keys_.empty()) {
    sort(exec);
  } else {
    std::erase_if(order_, [&](const Keyed& body) {
      return body.key < first_keys_[rank] ||
             (rank + 1 < ranks && body.key >= first_keys_[rank + 1]);
    });
    sort(exec);
    order_ = engine::gather(exec.ranks, std::move(order_));
    MOTE_EXPECT(order_.size() == place_.size());
  }
  first_keys_ = {0};
  for (std::size_t r = 1; r < ranks; ++r)
    first_keys_.push_back(order_[order_.size() * r / ranks].key);
}

/// Level by level, in the order of the curve.
void Tree::make_cells(const Cpu& exec, int leaf) {
  cells_.clear();
  levels_ = {0};
  TreeCell root;
  root.count = static_cast<std::uint32_t>(order_.size());
  cells_.push_back(root);
  while (levels_.back() < cells_.size()) {
    const std::uint32_t begin = levels_.back(), end = static_cast<std::uint32_t>(cells_.size());
    levels_.push_back(end);
    const Index chunks = (static_cast<Index>(end - begin) + cell_chunk - 1) / cell_chunk;
    std::vector<std::vector<TreeCell>> made(static_cast<std::size_t>(chunks));
    engine::throwing_tasks(exec.threads, chunks, [&](Index chunk) {
      const std::uint32_t first = begin + static_cast<std::uint32_t>(chunk * cell_chunk);
      const std::uint32_t last = std::min(first + static_cast<std::uint32_t>(cell_chunk), end);
      for (std::uint32_t c = first; c < last; ++c)
        split(cells_[c], leaf, made[static_cast<std::size_t>(chunk)]);
    });
    std::uint32_t next = end;
    for (std::uint32_t c = begin; c < end; ++c) {
      cells_[c].child = next;
      next += cells_[c].children;
    }
    cells_.reserve(next);
    for (const std::vector<TreeCell>& children : made)
      cells_.insert(cells_.end(), children.begin(), children.end());
    for (std::uint32_t c = begin; c < end; ++c)
      for (std::uint32_t k = 0; k < cells_[c].children; ++k) cells_[cells_[c].child + k].parent = c;
  }
}

void Tree::split(TreeCell& cell, int leaf, std::vector<TreeCell>& children) {
  if (cell.level >= Tree::deepest) return;
  const auto full = static_cast<std::uint32_t>(leaf);
  if (cell.level > 0) {
    const TreeCell& parent = cells_[cell.parent];
    cell.sparse = parent.sparse;
    if (cell.count <= full && parent.count > full)
      for (std::uint32_t around = cell.parent; !cell.sparse; around = cells_[around].parent) {
        const TreeCell& other = cells_[around];
        cell.sparse = other.count > least_around_sparse(cell.count, cell.level - other.level, leaf);
        if (other.level == 0) break;
      }
  }
  const int most = cell.sparse ? leaf_of_sparse(leaf) : leaf;
  if (cell.count <= static_cast<std::uint32_t>(most)) return;
  if (cell.level > 0 && cell.level % hilbert::levels == 0) refine(cell);
  const int shift = 3 * (hilbert::levels - 1 - cell.level % hilbert::levels);
  const auto begin = order_.begin() + cell.first, end = begin + cell.count;
  for (auto first = begin; first != end;) {
    const std::uint64_t digits = first->key >> shift;
    const auto last = std::partition_point(
        first, end, [&](const Keyed& body) { return body.key >> shift == digits; });
    TreeCell child;
    child.first = static_cast<std::uint32_t>(first - order_.begin());
    child.count = static_cast<std::uint32_t>(last - first);
    child.level = static_cast<std::uint8_t>(cell.level + 1);
    children.push_back(child);
    ++cell.children;
    first = last;
  }
}

/// New keys for the bodies of a cell that has used up the old ones.
void Tree::refine(const TreeCell& cell) {
  const auto begin = order_.begin() + cell.first, end = begin + cell.count;
  for (auto body = begin; body != end; ++body)
    body->key = key_at(body->slot, cell.level / hilbert::levels);
  std::sort(begin, end);
}

template <class Real>
void Tree::put_massive_first(const Cpu& exec, const Real* mass) {
  const auto cells = static_cast<Index>(cells_.size());
  engine::parallel_tasks(exec.threads, (cells + cell_chunk - 1) / cell_chunk, [&](Index chunk) {
    for (Index c = chunk * cell_chunk; c < std::min((chunk + 1) * cell_chunk, cells); ++c) {
      TreeCell& cell = cells_[static_cast<std::size_t>(c)];
      for (std::uint32_t k = 0; k < cell.children; ++k)
        if (cells_[cell.child + k].is_leaf())
          cell.leaves = static_cast<std::uint8_t>(cell.leaves | 1u << k);
      if (!cell.is_leaf()) continue;
      const auto begin = order_.begin() + cell.first;
      const auto massless = std::stable_partition(
          begin, begin + cell.count, [&](const Keyed& body) { return mass[body.slot] != 0; });
      cell.massive = static_cast<std::uint32_t>(massless - begin);
    }
  });
}

void Tree::find_centers(const Cpu& exec) {
  for (std::size_t level = levels_.size() - 1; level-- > 0;) {
    const std::uint32_t begin = levels_[level], end = levels_[level + 1];
    const Index chunks = (static_cast<Index>(end - begin) + cell_chunk - 1) / cell_chunk;
    engine::parallel_tasks(exec.threads, chunks, [&](Index chunk) {
      const std::uint32_t first = begin + static_cast<std::uint32_t>(chunk * cell_chunk);
      const std::uint32_t last = std::min(first + static_cast<std::uint32_t>(cell_chunk), end);
      for (std::uint32_t c = first; c < last; ++c) {
        TreeCell& cell = cells_[c];
        if (cell.is_leaf())
          find_center_of_leaf(cell);
        else
          find_center_of_children(cell);
        cell.scale = cell.radius > 0 ? power_of_two_above(cell.radius) : smallest_scale;
      }
    });
  }
}

// Centers are found relative to a body, so that one alone is at its center exactly, and moments
// about it have no round-off of the distance from the origin.

void Tree::find_center_of_leaf(TreeCell& cell) const {
  const std::size_t first = cell.first, last = first + cell.count;
  const Vec3d from = bodies_.position(first);
  Vec3d weighted{}, plain{};
  for (std::size_t i = first; i < last; ++i) {
    const Vec3d d = bodies_.position(i) - from;
    const double size = std::fabs(bodies_.mass[i]);
    cell.mass += size;
    weighted += size * d;
    plain += d;
  }
  cell.center = from + (cell.mass > 0 ? (1 / cell.mass) * weighted : (1.0 / cell.count) * plain);
  double square = 0;
  for (std::size_t i = first; i < last; ++i) {
    const Vec3d d = bodies_.position(i) - cell.center;
    square = std::max(square, dot(d, d));
  }
  cell.radius = std::sqrt(square);
}

void Tree::find_center_of_children(TreeCell& cell) const {
  const Vec3d from = cells_[cell.child].center;
  Vec3d weighted{}, plain{};
  for (std::uint32_t c = cell.child; c < cell.child + cell.children; ++c) {
    const TreeCell& child = cells_[c];
    cell.mass += child.mass;
    cell.massive += child.massive;
    weighted += child.mass * (child.center - from);
    plain += double(child.count) * (child.center - from);
  }
  cell.center = from + (cell.mass > 0 ? (1 / cell.mass) * weighted : (1.0 / cell.count) * plain);
  for (std::uint32_t c = cell.child; c < cell.child + cell.children; ++c)
    cell.radius = std::max(cell.radius, length(cells_[c].center - cell.center) + cells_[c].radius);
  cell.radius = std::min(cell.radius, distance_of_corner(cell.center, cell.level,
                                                         bodies_.position(cell.first), origin_));
}

}  // namespace mote::sim
