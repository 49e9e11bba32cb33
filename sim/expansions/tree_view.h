#pragma once

#include <cstdint>

#include "sim/expansions/expansion.h"
#include "sim/expansions/hilbert.h"

namespace mote::sim {

/// The cells that are targets at a time: those of which a body is in a range along the curve. Of
/// each level they follow each other; all of them have rows, level by level. A cell with bodies of
/// two ranges is in both; each leaf is in one.
struct Targets {
  static constexpr int levels = 2 * hilbert::levels + 1;
  std::uint32_t begin[levels], row[levels + 1];
  std::uint32_t leaf_begin, leaf_end;  ///< range of the leaves along the curve
  std::uint32_t first;                 ///< first body of the range

  MOTE_FORMULA std::uint32_t end(int level) const {
    return begin[level] + row[level + 1] - row[level];
  }
  MOTE_FORMULA std::uint32_t row_of(std::uint32_t cell, int level) const {
    return row[level] + cell - begin[level];
  }
};

/// The cells of which all bodies are in a range along the curve that begins and ends with leaves:
/// of each level they follow each other.
struct CellsInside {
  std::uint32_t begin[Targets::levels], end[Targets::levels];
  std::uint32_t leaf_begin, leaf_end;  ///< range of the leaves along the curve
  std::uint32_t first_body, end_body;
};

/// Numbers of a tree on a device, and of the lists made from it.
struct TreeControl {
  double origin[3], side, unit;  ///< the box, as in TreeBox; unit: 1 / side
  std::uint32_t bodies;          ///< 0 if a number is not finite: no tree then
  std::uint32_t not_finite;      ///< a position is not finite
  std::uint32_t cells, leaves;
  std::uint32_t level_first[2 * hilbert::levels + 2];  ///< first cell of each level, and the end
  // Cells and levels that the last build needed, whether there was room or not.
  std::uint32_t needed_cells, needed_levels;
  std::uint32_t needed_deep;   ///< 1: keys of two stages
  std::uint32_t first_bodies;  ///< bodies of leaves, before sparse ones are divided
  CellsInside inside;          ///< the range of this rank, if there are several
  Targets targets;
  // Units, chunks and sums that the lists of the targets needed, likewise.
  unsigned long long list_units, extra_far, extra_near, extra_bodies;
  std::uint32_t lists_cut;       ///< 1: there was no room for some lists
  unsigned long long near, far;  ///< counts of pairs
};

/// The part of a cell that the walk reads, in whole words of 16 bytes.
struct alignas(16) WalkCell {
  double x, y, z;  ///< center
  float radius;
  float root_mass;  ///< mass^(1/2), of charges as expected of random signs; 0: not a source
  std::uint8_t children, level;
  std::uint16_t dipole;                       ///< shape of order 1: the upper half of a float
  float shape[expansion::largest_order - 1];  ///< `shape` of Acceptance::accepts, from order 2 on
};
static_assert(sizeof(WalkCell) == 64);

/// A tree in device memory, for kernels: cells and bodies as in Tree, in units of the side of the
/// root and of the total mass.
struct DeviceTreeView {
  TreeControl* control;
  std::uint32_t* order;  ///< slots of the bodies along the curve
  std::uint32_t cell_capacity, levels;

  double *x, *y, *z, *mass;  ///< centers and masses of cells, without signs
  float* radius;
  WalkCell* walk;
  std::uint32_t *first, *count, *parent, *child;
  std::uint32_t* massive;  ///< bodies with mass; those of a leaf are its first ones
  std::uint8_t *children, *level;
  std::uint32_t* leaves;  ///< cells without children, along the curve
};

}  // namespace mote::sim
