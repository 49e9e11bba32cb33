#pragma once

#include <cstdint>

#include "engine/platform.h"

namespace mote::sim {

/// Places along a Hilbert curve through a cube of 2^21 steps a side (Hamilton 2006, Compact Hilbert
/// Indices, Dalhousie CS-2006-07). Each three bits, from the highest, choose an octant of the one
/// before: cells of an octree are ranges of keys.
namespace hilbert {

inline constexpr int levels = 21;

/// A table has, for each orientation of the curve in a cube, the digit of each octant, and the
/// orientation in it. Octants: bit 0 is the upper half along x, 1 along y, 2 along z.
struct Table {
  static constexpr int orientations = 24;
  struct Entry {
    std::uint8_t digit = 0, next = 0;
  };
  Entry entry[orientations][8]{};

  constexpr Table() {
    for (unsigned entrance = 0; entrance < 8; ++entrance)
      for (unsigned direction = 0; direction < 3; ++direction)
        for (unsigned octant = 0; octant < 8; ++octant) {
          const unsigned digit = gray_rank(rotated_right(octant ^ entrance, direction + 1));
          const unsigned next = entrance ^ rotated_left(first_of(digit), direction + 1);
          const unsigned along = (direction + turn_of(digit) + 1) % 3;
          entry[3 * entrance + direction][octant] = {static_cast<std::uint8_t>(digit),
                                                     static_cast<std::uint8_t>(3 * next + along)};
        }
  }

 private:
  static constexpr unsigned rotated_left(unsigned bits, unsigned by) {
    by %= 3;
    return ((bits << by) | (bits >> (3 - by))) & 7u;
  }
  static constexpr unsigned rotated_right(unsigned bits, unsigned by) {
    return rotated_left(bits, 3 - by % 3);
  }
  static constexpr unsigned gray(unsigned rank) { return rank ^ (rank >> 1); }
  static constexpr unsigned gray_rank(unsigned bits) { return bits ^ (bits >> 1) ^ (bits >> 2); }
  /// The corner at which the curve enters the octant of this digit.
  static constexpr unsigned first_of(unsigned digit) {
    return digit == 0 ? 0 : gray(2 * ((digit - 1) / 2));
  }
  static constexpr unsigned trailing_ones(unsigned bits) {
    unsigned ones = 0;
    while (bits & 1u) ++ones, bits >>= 1;
    return ones;
  }
  /// The axis along which it passes through it.
  static constexpr unsigned turn_of(unsigned digit) {
    return digit == 0 ? 0 : (digit % 2 == 0 ? trailing_ones(digit - 1) : trailing_ones(digit)) % 3;
  }
};
inline constexpr Table table{};

/// x, y, z: steps along each axis, below 2^21. The result has 63 bits. `curve`: a copy of `table`,
/// for kernels.
MOTE_FORMULA std::uint64_t key_of(std::uint32_t x, std::uint32_t y, std::uint32_t z,
                                  const Table& curve = table) {
  std::uint64_t key = 0;
  unsigned orientation = 0;
  for (int level = levels - 1; level >= 0; --level) {
    const unsigned octant =
        ((x >> level) & 1u) | ((y >> level) & 1u) << 1 | ((z >> level) & 1u) << 2;
    const Table::Entry e = curve.entry[orientation][octant];
    key = key << 3 | e.digit;
    orientation = e.next;
  }
  return key;
}

}  // namespace hilbert

}  // namespace mote::sim
