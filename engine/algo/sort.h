#pragma once

#include <cstdint>

#include "engine/exec/policy.h"
#include "engine/memory/buffer.h"

namespace mote::engine {

/// Sorts (key, value) pairs by key on a device, stably, in ascending order: both zeros are equal,
/// NaN is last or first by its sign. Uses CUB's radix sort.
class PairSort {
 public:
  explicit PairSort(Index largest_count);
  static std::uint64_t bytes(Index count);

  double* keys() { return keys_[0].data(); }
  double* values() { return values_[0].data(); }

  struct Sorted {
    const double *keys, *values;
  };
  /// Sorts the first `count` of keys() and values(), which are overwritten. Does not wait.
  Sorted run(const Cuda& exec, Index count);

 private:
  Buffer<double, Device> keys_[2], values_[2];
  Buffer<unsigned char, Device> scratch_;
};

}  // namespace mote::engine
