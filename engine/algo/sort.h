#pragma once

#include <cstdint>

#include "engine/exec/policy.h"
#include "engine/memory/buffer.h"

namespace mote::engine {

/// Sorts (key, value) pairs by key on a device, stably, in ascending order: for floating-point keys
/// both zeros are equal, NaN is last or first by its sign. Uses CUB's radix sort. Exists for
/// (double, double) and (uint64, uint32).
template <class Key, class Value>
class PairSort {
 public:
  explicit PairSort(Index largest_count);
  static std::uint64_t bytes(Index count);

  Key* keys() { return keys_[0].data(); }
  Value* values() { return values_[0].data(); }

  struct Sorted {
    Key* keys;
    Value* values;
  };
  /// Where run() leaves the sorted pairs.
  Sorted sorted() { return {keys_[1].data(), values_[1].data()}; }
  /// Sorts the first `count` of keys() and values(), which are overwritten, by the lowest `bits` of
  /// the keys. Does not wait.
  Sorted run(const Cuda& exec, Index count, int bits = 8 * sizeof(Key));

 private:
  Buffer<Key, Device> keys_[2];
  Buffer<Value, Device> values_[2];
  Buffer<unsigned char, Device> scratch_;
};

}  // namespace mote::engine
