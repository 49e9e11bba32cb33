#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "engine/exec/parallel.h"
#include "sim/expansions/multipole_kernel.h"
#include "sim/expansions/tree.h"

namespace mote::sim {

/// Some of the up to eight children of one cell, which are consecutive, in one image of the box.
/// Bit k of `members` and of `leaves` is cell first + k.
struct CellGroup {
  std::uint32_t first;
  std::uint8_t members, leaves, image;
};

/// A vector of cells whose push_back() is inlined; a target has some hundred sources.
class SourceList {
 public:
  void clear() { size_ = 0; }
  void push_back(SourceCell cell) {
    if (size_ == cells_.size()) [[unlikely]]
      grow();
    cells_[size_++] = cell;
  }
  std::size_t size() const { return size_; }
  const SourceCell* data() const { return cells_.data(); }
  const SourceCell* begin() const { return data(); }
  const SourceCell* end() const { return data() + size_; }

 private:
  [[gnu::noinline]] void grow() { cells_.resize(2 * cells_.size() + 64); }

  std::vector<SourceCell> cells_;
  std::size_t size_ = 0;
};

/// Sources of one target, in the order in which they are looked at.
struct WalkLists {
  SourceList far;   ///< cells that act as a whole
  SourceList near;  ///< leaves that act body by body, on a leaf
};

/// The walk of a tree, from the root to the leaves, with each cell as a target. The root looks at
/// itself and at its images; every other target looks at the cells that its parent left open:
///
///     a source is ...                                   and goes to ...
///     accepted (Acceptance)                             far:  acts as a whole, by its expansion
///     a leaf, and so is the target                      near: acts body by body
///     larger than the target, or the target is a leaf   its children, which are looked at now
///     any other                                         open: the target's children look again
///
/// Invariants, for each leaf B, and each leaf A or image of one:
/// - Either exactly one cell that contains A is in `far` of exactly one that contains B, or A is in
///   `near` of B: every pair of bodies acts once. (Cells without mass are left out.)
/// - The cells that a target leaves open are disjoint. With those in the lists of it and of the
///   cells around it they are all of the tree and its images.
/// - Lists are in the order in which sources are looked at, which the parent's order decides: they
///   are a function of the tree alone, for any number of threads. A target owns its sums.
///
/// On a GPU a warp does the same for a target (walk.cuh), level by level.
///
/// Targets for which the visitor does not ask are left out with all below them; the lists of others
/// are the same.
///
/// `Visitor` has the types Value, what the children of a cell inherit, and Scratch, of a thread,
/// and
///   bool wants(std::uint32_t target): true for a cell only if it is for its parent;
///   unsigned accepted(SourceCell first, std::uint32_t target): of the eight cells from `first`,
///     those that act as a whole, as bits;
///   void visit(std::uint32_t target, const Value* of_parent, const WalkLists&, Value& own,
///     Scratch&): uses the lists; null for the root.
template <class Visitor>
class Walk {
 public:
  /// `images`: of the box, 1 or those of PeriodicImages.
  Walk(const std::vector<TreeCell>& cells, std::size_t images, Visitor& visitor)
      : cells_(cells), images_(images), visitor_(visitor) {}

  /// Visits cells with many bodies level by level, then those below them as tasks.
  void run(int threads) {
    std::vector<std::vector<OpenCells>> levels;
    std::vector<Task> level{{0, nullptr}}, tasks;
    while (!level.empty()) {
      std::vector<OpenCells>& open_cells = levels.emplace_back(level.size());
      const auto look_at = [&](engine::Index k) {
        const auto at = static_cast<std::size_t>(k);
        ThreadScratch scratch;
        look(level[at].target, level[at].parent, open_cells[at], scratch);
      };
      const auto is_leaf = [&](engine::Index k) {
        return cells_[level[static_cast<std::size_t>(k)].target].is_leaf();
      };
      const auto count = static_cast<engine::Index>(level.size());
      engine::throwing_tasks(threads, count, [&](engine::Index k) {
        if (!is_leaf(k)) look_at(k);
      });
      // These leaves have many bodies in one place. They come one at a time: the visitor uses all
      // threads.
      for (engine::Index k = 0; k < count; ++k)
        if (is_leaf(k)) look_at(k);
      std::vector<Task> next;
      for (std::size_t k = 0; k < level.size(); ++k) {
        const TreeCell& cell = cells_[level[k].target];
        for (std::uint32_t c = cell.child; c < cell.child + cell.children; ++c)
          if (visitor_.wants(c))
            (cells_[c].count > task_bodies ? next : tasks).push_back({c, &open_cells[k]});
      }
      level = std::move(next);
    }
    engine::throwing_tasks(threads, static_cast<engine::Index>(tasks.size()), [&](engine::Index k) {
      const Task& task = tasks[static_cast<std::size_t>(k)];
      ThreadScratch scratch;
      std::vector<OpenCells> below(Tree::deepest + 1);
      descend(task.target, *task.parent, below.data(), scratch);
    });
  }

 private:
  /// Large enough that a task pays, small enough that all threads have some to the end.
  static constexpr std::uint32_t task_bodies = 4096;

  /// The cells that a target leaves to its children, and the value that they inherit.
  struct OpenCells {
    std::vector<CellGroup> open;
    typename Visitor::Value value;
  };
  struct Task {
    std::uint32_t target;
    const OpenCells* parent;
  };

  struct ThreadScratch {
    WalkLists lists;
    typename Visitor::Scratch of_visitor;
  };

  void look(std::uint32_t target, const OpenCells* parent, OpenCells& own, ThreadScratch& scratch) {
    scratch.lists.far.clear();
    scratch.lists.near.clear();
    own.open.clear();
    const auto root_leaf = static_cast<std::uint8_t>(cells_[0].is_leaf() ? 1 : 0);
    if (parent)
      for (const CellGroup group : parent->open) classify(group, target, scratch.lists, own);
    else
      for (std::size_t image = 0; image < images_; ++image)
        classify({0, 1, root_leaf, static_cast<std::uint8_t>(image)}, target, scratch.lists, own);
    visitor_.visit(target, parent ? &parent->value : nullptr, scratch.lists, own.value,
                   scratch.of_visitor);
  }

  void classify(CellGroup group, std::uint32_t target, WalkLists& lists, OpenCells& own) {
    const TreeCell& t = cells_[target];
    const unsigned accepted = visitor_.accepted({group.first, group.image}, target);
    unsigned later = 0;
    for (unsigned left = group.members; left; left &= left - 1) {
      const auto k = static_cast<unsigned>(std::countr_zero(left));
      const std::uint32_t s = group.first + k;
      const unsigned bit = 1u << k;
      if (cells_[s].massive == 0) continue;
      if (accepted & bit) {
        lists.far.push_back({s, group.image});
      } else if (group.leaves & bit) {
        if (t.is_leaf())
          lists.near.push_back({s, group.image});
        else
          later |= bit;
      } else if (t.is_leaf() || cells_[s].radius > t.radius) {
        const TreeCell& source = cells_[s];
        classify({source.child, static_cast<std::uint8_t>((1u << source.children) - 1),
                  source.leaves, group.image},
                 target, lists, own);
      } else {
        later |= bit;
      }
    }
    if (later)
      own.open.push_back(
          {group.first, static_cast<std::uint8_t>(later), group.leaves, group.image});
  }

  /// `own[0]` is of this level, `own[1]` and so on of those below.
  void descend(std::uint32_t target, const OpenCells& parent, OpenCells* own,
               ThreadScratch& scratch) {
    look(target, &parent, *own, scratch);
    const TreeCell& cell = cells_[target];
    for (std::uint32_t c = cell.child; c < cell.child + cell.children; ++c)
      if (visitor_.wants(c)) descend(c, *own, own + 1, scratch);
  }

  const std::vector<TreeCell>& cells_;
  std::size_t images_;
  Visitor& visitor_;
};

}  // namespace mote::sim
