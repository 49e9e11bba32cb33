#pragma once

#include <cstdint>

#include "engine/platform.h"

namespace mote::sim {

/// How cells of a grid without end share a table of buckets: cell (x, y, z) is in bucket x + a y +
/// a^2 z modulo the size of the table, a power of two. Cells along x stand next to each other as
/// they do in a plain grid. Those of one bucket are the points of a lattice (Korobov 1959, Dokl.
/// Akad. Nauk SSSR 124, 1207), and the multiplier a is such that these are as far from each other,
/// in space and in the planes of the axes, as can be, as for the spectral test of random numbers
/// (Coveyou & MacPherson 1967, J. ACM 14, 100): with d the shortest way between two along its
/// longest axis, the lesser of d / M^(1/3) in space and 1.2 d / M^(1/2) in the planes is the
/// greatest of all odd multipliers up to M = 2^16 buckets, and of 20,000 to 3,000 random ones
/// above. So cells that are near each other never share one.
struct CellHash {
  int bits;  ///< buckets: two to the power of these
  std::uint32_t multiplier;
  int distinct;  ///< no two cells of a cube of so many cells a side share a bucket
};

inline constexpr int fewest_hash_bits = 6, most_hash_bits = 30;

/// The largest table of so many buckets at most, which are at least two to the power of
/// `fewest_hash_bits`.
inline MOTE_HOST_DEVICE CellHash cell_hash(std::int64_t most_buckets) {
  constexpr std::uint32_t multiplier[] = {
      5,          9,          39,          21,         39,         51,         75,
      553,        133,        9'077,       17'697,     97'863,     12'511,     418'885,
      456'399,    583'429,    1'300'289,   2'414'375,  11'978'885, 17'093'649, 59'222'527,
      43'902'867, 63'042'309, 154'276'701, 206'850'635};
  constexpr int distinct[] = {3,  4,  5,   6,   8,   11,  13,  17,  24,  29,  37,  46, 60,
                              76, 95, 122, 151, 185, 224, 284, 361, 477, 594, 744, 917};
  int bits = fewest_hash_bits;
  while (bits < most_hash_bits && std::int64_t{2} << bits <= most_buckets) ++bits;
  return {bits, multiplier[bits - fewest_hash_bits], distinct[bits - fewest_hash_bits]};
}

}  // namespace mote::sim
