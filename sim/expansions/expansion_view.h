#pragma once

#include <cstdint>

#include "sim/expansions/expansion.h"
#include "sim/expansions/image_view.h"

namespace mote::sim {

/// A body of a leaf, relative to its center.
template <class T>
struct alignas(16) LeafBody {
  T x, y, z, mass;
};

/// A chunk of a list that another warp than that of its cell sums, since the list is long.
struct ExtraChunk {
  std::uint32_t cell, unit;
};

/// Lists of cells in device memory, as chains of chunks of whole units of four words: the number of
/// cells, the unit of the next chunk or 0, where the sums of an extra chunk are, a word of no use;
/// the cells.
struct ListView {
  std::uint32_t* words;
  std::uint32_t* far;   ///< first unit of the list of each cell, or 0
  std::uint32_t* rest;  ///< likewise: near leaves of a leaf; of others, cells for their children
  // All chunks but the first one of a list. The sums of extra_far[k] are in the k-th row, those of
  // extra_near where their chunk says.
  ExtraChunk *extra_far, *extra_near;
  unsigned long long units, far_room, near_room, body_room;

  struct Chunk {
    std::uint32_t count, next, sums;
    const std::uint32_t* cells;
  };
  MOTE_FORMULA Chunk chunk(std::uint32_t unit) const {
    const std::uint32_t* const at = words + 4 * static_cast<std::size_t>(unit);
    return {at[0], at[1], at[2], at + 4};
  }
};

/// Sums of a body over some near leaves, in units of the tree; of a potential, in x.
struct NearSum {
  double x, y, z;
};

/// Expansions of a tree in device memory. Those of a cell are in units of its side, 2^-level.
template <class T>
struct ExpansionView {
  int order, stride;            ///< stride: of the rows of coefficients
  bool charged;                 ///< masses are charges of either sign
  double of_pulls;              ///< MultipoleSettings
  double mass_unit, softening;  ///< both are in units of the state
  LeafBody<T>* bodies;          ///< bodies in the order of the tree
  T* moments;                   ///< a row for each cell
  T* locals;                    ///< likewise for each target (Targets)
  T* extra_locals;              ///< a row for each chunk of extra_far
  NearSum* extra_sums;          ///< sums for the bodies of the leaves of extra_near
  float* field;                 ///< sum m / r^2 of what acts on each cell as a whole
  float* left;                  ///< likewise of what its children look at, except the cell itself
  float* near;                  ///< least field of neighbours of the leaves of each cell of charges
  float* pull;                  ///< c g of Acceptance for each cell in a periodic box of masses
  ListView lists;
  ImageView images;
  /// Number of chosen bodies before each along the curve, and of all; null: all bodies are chosen.
  const std::uint32_t* chosen_before;

  /// True if one of the bodies from `first` on along the curve is chosen.
  MOTE_FORMULA bool has_chosen(std::uint32_t first, std::uint32_t count) const {
    return chosen_before == nullptr || chosen_before[first + count] != chosen_before[first];
  }
};

/// Components of all multi-indices, for kernels that look them up.
struct IndexTable {
  std::uint8_t x[expansion::largest_count], y[expansion::largest_count],
      z[expansion::largest_count];

  constexpr IndexTable() : x{}, y{}, z{} {
    for (int i = 0; i < expansion::largest_count; ++i)
      x[i] = expansion::tables.index[i].x, y[i] = expansion::tables.index[i].y,
      z[i] = expansion::tables.index[i].z;
  }
};

}  // namespace mote::sim
