#pragma once

#include <cstdint>

#include "engine/platform.h"

namespace mote::engine {

/// Counter-based random numbers: Philox 4x32 with 10 rounds (Salmon, Moraes, Dror & Shaw 2011,
/// SC'11, "Parallel random numbers: as easy as 1, 2, 3", section 3.3 and table 2). A pure function
/// of counter and key: no state, the same on host and device, for any order and number of threads.
struct Philox {
  std::uint32_t word[4];
};

MOTE_HOST_DEVICE inline Philox philox_4x32_10(Philox counter, std::uint32_t key0,
                                              std::uint32_t key1) {
  constexpr std::uint64_t multiplier0 = 0xD2511F53u, multiplier1 = 0xCD9E8D57u;
  constexpr std::uint32_t weyl0 = 0x9E3779B9u, weyl1 = 0xBB67AE85u;
  Philox c = counter;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = multiplier0 * c.word[0];
    const std::uint64_t product1 = multiplier1 * c.word[2];
    c = {{static_cast<std::uint32_t>(product1 >> 32) ^ c.word[1] ^ key0,
          static_cast<std::uint32_t>(product1),
          static_cast<std::uint32_t>(product0 >> 32) ^ c.word[3] ^ key1,
          static_cast<std::uint32_t>(product0)}};
    key0 += weyl0;
    key1 += weyl1;
  }
  return c;
}

/// The random numbers of one item (a particle): a sequence that depends only on (seed, stream,
/// item). The key is the seed; the counter holds the item (64 bits), the stream and the position in
/// the sequence, which repeats after 2^34 words.
class Random {
 public:
  MOTE_HOST_DEVICE Random(std::uint64_t seed, std::uint32_t stream, std::uint64_t item)
      : seed_(seed), item_(item), stream_(stream) {}

  MOTE_HOST_DEVICE std::uint32_t next_word() {
    if (used_ == 4) {
      block_ = philox_4x32_10({{position_++, stream_, static_cast<std::uint32_t>(item_),
                                static_cast<std::uint32_t>(item_ >> 32)}},
                              static_cast<std::uint32_t>(seed_),
                              static_cast<std::uint32_t>(seed_ >> 32));
      used_ = 0;
    }
    return block_.word[used_++];
  }

  /// Uniform in (0, 1), never an end point: midpoints of 2^52 equal intervals.
  MOTE_HOST_DEVICE double uniform() {
    const std::uint64_t high = next_word();
    const std::uint64_t low = next_word();
    const std::uint64_t bits = (high << 20) ^ (low >> 12);
    return (static_cast<double>(bits) + 0.5) * (1.0 / 4503599627370496.0);
  }

  /// Uniform in (low, high); rounding may yield an end point.
  MOTE_HOST_DEVICE double uniform(double low, double high) {
    return low + (high - low) * uniform();
  }

 private:
  std::uint64_t seed_;
  std::uint64_t item_;
  std::uint32_t stream_;
  std::uint32_t position_ = 0;
  Philox block_{};
  int used_ = 4;
};

}  // namespace mote::engine
