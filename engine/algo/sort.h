#pragma once

#include <cstdint>

#include "engine/exec/policy.h"
#include "engine/memory/buffer.h"

namespace mote::engine {

/// Sorts (key, value) pairs by key on a device, stably, in ascending order. Uses CUB's radix sort.
/// Exists for (uint64, uint32).
template <class Key, class Value>
class PairSort {
 public:
  explicit PairSort(Index largest_count);
  static std::uint64_t bytes(Index count);

  /// The keys and values that are sorted next; free after that.
  Key* keys() { return keys_[1 - sorted_keys_].data(); }
  Value* values() { return values_[1 - sorted_values_].data(); }

  struct Sorted {
    Key* keys;
    Value* values;
  };
  /// Where run() has left the sorted pairs.
  Sorted sorted() { return {keys_[sorted_keys_].data(), values_[sorted_values_].data()}; }
  /// Sorts the first `count` of keys() and values(), which are overwritten, by the lowest `bits` of
  /// the keys. Does not wait.
  Sorted run(const Cuda& exec, Index count, int bits = 8 * sizeof(Key));
  /// Makes keys() and values() the sorted pairs, after they have been written in order.
  Sorted take_as_sorted();

 private:
  // The sort uses both of two buffers, so that it needs no memory of the size of either.
  Buffer<Key, Device> keys_[2];
  Buffer<Value, Device> values_[2];
  int sorted_keys_ = 1, sorted_values_ = 1;
  Buffer<unsigned char, Device> scratch_;
};

}  // namespace mote::engine
