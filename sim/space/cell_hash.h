#pragma once

#include <cstdint>

#include "engine/platform.h"

namespace mote::sim {

/// Hash of the cells of an unbounded grid: cell (x, y, z) is in bucket x + a y + a^2 z modulo the
/// number of buckets, a power of two. Cells along x are in consecutive buckets, as in a plain grid.
/// The cells of one bucket form a lattice (Korobov 1959, Dokl. Akad. Nauk SSSR 124, 1207). The
/// multiplier a maximises the distance of its points, in space and in the coordinate planes, as in
/// the spectral test of random numbers (Coveyou & MacPherson 1967, J. ACM 14, 100): with d the
/// smallest Chebyshev distance of two points, the lesser of d / M^(1/3) in space and 1.2 d /
/// M^(1/2) in the planes is the greatest of all odd multipliers up to M = 2^16 buckets, and of
/// 20,000 to 3,000 random ones above. Nearby cells therefore never share a bucket.
struct CellHash {
  int bits;  ///< there are 2^bits buckets
  std::uint32_t multiplier;
  int distinct;  ///< no two cells of a cube of this many cells per side share a bucket
};

inline constexpr int fewest_hash_bits = 6, most_hash_bits = 30;

/// The largest table of at most `most_buckets` buckets, but at least 2^fewest_hash_bits.
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
