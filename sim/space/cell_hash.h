#pragma once

#include <cstdint>

#include "engine/platform.h"

namespace mote::sim {

/// Hash of the cells of an unbounded grid: cell (x, y, z) is in bucket (x + a y + a^2 z) mod M,
/// with M = 2^bits. Neighbours along x are in consecutive buckets, as in a plain grid. The cells of
/// one bucket form a lattice (Korobov 1959, Dokl. Akad. Nauk SSSR 124, 1207). As in the spectral
/// test of random number generators (Coveyou & MacPherson 1967, J. ACM 14, 100), the multiplier a
/// keeps them far apart: it maximises the lesser of d3 / M^(1/3) and 1.2 d2 / M^(1/2), where d3 is
/// the smallest Chebyshev distance of two cells of a bucket, and d2 that of two in a coordinate
/// plane. Candidates were all odd a up to M = 2^16, and for larger M random ones, 20,000 at first
/// and 3,000 at 2^30.
struct CellHash {
  int bits;  ///< there are 2^bits buckets
  std::uint32_t multiplier;
  int distinct;  ///< no two cells of a cube of this many cells per side share a bucket
};

inline constexpr int min_hash_bits = 6, max_hash_bits = 30;

/// The hash of the most buckets up to `max_buckets`, of 2^min_hash_bits to 2^max_hash_bits.
inline MOTE_HOST_DEVICE CellHash cell_hash(std::int64_t max_buckets) {
  constexpr std::uint32_t multiplier[] = {
      5,          9,          39,          21,         39,         51,         75,
      553,        133,        9'077,       17'697,     97'863,     12'511,     418'885,
      456'399,    583'429,    1'300'289,   2'414'375,  11'978'885, 17'093'649, 59'222'527,
      43'902'867, 63'042'309, 154'276'701, 206'850'635};
  constexpr int distinct[] = {3,  4,  5,   6,   8,   11,  13,  17,  24,  29,  37,  46, 60,
                              76, 95, 122, 151, 185, 224, 284, 361, 477, 594, 744, 917};
  int bits = min_hash_bits;
  while (bits < max_hash_bits && std::int64_t{2} << bits <= max_buckets) ++bits;
  return {bits, multiplier[bits - min_hash_bits], distinct[bits - min_hash_bits]};
}

}  // namespace mote::sim
