#pragma once

#include <cstdint>
#include <vector>

#include "engine/exec/policy.h"
#include "engine/math/vec.h"
#include "engine/types.h"

namespace mote::sim {

/// Bodies in the order of the tree. Lengths are in units of a power of two not below the extent of
/// all bodies, masses in units of one not below the mass of all, so that both fit single precision.
/// Masses may be charges of either sign.
struct TreeBodies {
  std::vector<double> x, y, z, mass;
  std::vector<std::uint32_t> slot;   ///< slot of each body in the state
  double length = 1, mass_unit = 1;  ///< the units of length and mass

  engine::Vec3d position(std::size_t i) const { return {x[i], y[i], z[i]}; }
};

/// A cell of an octree. Its bodies are a range of TreeBodies, its children a range of cells.
struct TreeCell {
  engine::Vec3d center;  ///< center of mass, or of its bodies, if they have none
  double radius = 0;     ///< all its bodies are within it of the center
  double mass = 0;       ///< without signs
  double scale = 1;      ///< a power of two, not below the radius
  std::uint32_t first = 0, count = 0;
  std::uint32_t massive = 0;  ///< bodies with mass; those of a leaf are its first ones
  std::uint32_t parent = 0;
  std::uint32_t child = 0;    ///< first of its children
  std::uint8_t children = 0;  ///< 0: a leaf
  std::uint8_t leaves = 0;    ///< a bit for each child that is a leaf
  std::uint8_t level = 0;
  bool sparse = false;  ///< least_around_sparse()

  bool is_leaf() const { return children == 0; }
};

/// Cells per task of a level.
inline constexpr engine::Index cell_chunk = 64;

/// An octree over bodies sorted along a Hilbert curve. It is a function of positions, masses and
/// ids alone: cells are numbered level by level, in the order of the curve.
class Tree {
 public:
  /// Most levels below the root.
  static constexpr int deepest = 42;

  /// Replaces it by the tree of these bodies. A leaf has at most `leaf` bodies, except for bodies
  /// in one place. `id`: breaks ties of bodies in one place. n > 0. False, and without a tree, if a
  /// position or a mass is not finite. With ranks, which build the same tree, each sorts a part of
  /// the bodies; collective.
  template <class Real>
  bool build(const engine::Cpu& exec, engine::Index n, const Real* x, const Real* y, const Real* z,
             const Real* mass, const std::uint32_t* id, int leaf);

  const TreeBodies& bodies() const { return bodies_; }
  const std::vector<TreeCell>& cells() const { return cells_; }
  /// First cell of each level, and the end of the last one.
  const std::vector<std::uint32_t>& levels() const { return levels_; }

 private:
  struct Keyed {
    std::uint64_t key;
    std::uint32_t id, slot;
    bool operator<(const Keyed& other) const {
      return key != other.key ? key < other.key : id < other.id;
    }
  };

  std::uint64_t key_at(std::uint32_t slot, int stage) const;
  void sort(const engine::Cpu& exec);
  void sort_shared(const engine::Cpu& exec);
  void make_cells(const engine::Cpu& exec, int leaf);
  void split(TreeCell& cell, int leaf, std::vector<TreeCell>& children);
  void refine(const TreeCell& cell);
  template <class Real>
  void put_massive_first(const engine::Cpu& exec, const Real* mass);
  void find_centers(const engine::Cpu& exec);
  void find_center_of_leaf(TreeCell& cell) const;
  void find_center_of_children(TreeCell& cell) const;

  TreeBodies bodies_;
  engine::Vec3d origin_{};            ///< corner of the root's cube, in units of the tree
  std::vector<engine::Vec3d> place_;  ///< position in each slot, in units of the tree
  std::vector<Keyed> order_;
  std::vector<std::uint64_t> first_keys_;  ///< of what each rank sorts; empty: not known
  std::vector<TreeCell> cells_;
  std::vector<std::uint32_t> levels_;
};

}  // namespace mote::sim
