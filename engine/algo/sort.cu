#include "engine/algo/sort.h"

#include <cub/device/device_radix_sort.cuh>

#include "engine/exec/cuda_check.h"

namespace mote::engine {
namespace {

template <class Key, class Value>
std::size_t scratch_bytes(Index count) {
  std::size_t bytes = 0;
  cub::DoubleBuffer<Key> keys(nullptr, nullptr);
  cub::DoubleBuffer<Value> values(nullptr, nullptr);
  cuda_check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, values, count),
             "size of a sort");
  return bytes;
}

}  // namespace

template <class Key, class Value>
PairSort<Key, Value>::PairSort(Index largest_count)
    : scratch_(static_cast<Index>(scratch_bytes<Key, Value>(largest_count))) {
  for (int k = 0; k < 2; ++k) {
    keys_[k] = Buffer<Key, Device>(largest_count);
    values_[k] = Buffer<Value, Device>(largest_count);
  }
}

template <class Key, class Value>
std::uint64_t PairSort<Key, Value>::bytes(Index count) {
  return 2 * static_cast<std::uint64_t>(count) * (sizeof(Key) + sizeof(Value)) +
         scratch_bytes<Key, Value>(count);
}

template <class Key, class Value>
typename PairSort<Key, Value>::Sorted PairSort<Key, Value>::run(const Cuda& exec, Index count,
                                                                int bits) {
  std::size_t bytes = scratch_.bytes();
  cub::DoubleBuffer<Key> of_keys(keys(), sorted().keys);
  cub::DoubleBuffer<Value> of_values(values(), sorted().values);
  cuda_check(cub::DeviceRadixSort::SortPairs(scratch_.data(), bytes, of_keys, of_values, count, 0,
                                             bits, exec.stream),
             "sort");
  // The selector is 0 if they are where they were before.
  if (of_keys.selector == 0) sorted_keys_ = 1 - sorted_keys_;
  if (of_values.selector == 0) sorted_values_ = 1 - sorted_values_;
  return sorted();
}

template <class Key, class Value>
typename PairSort<Key, Value>::Sorted PairSort<Key, Value>::take_as_sorted() {
  sorted_keys_ = 1 - sorted_keys_, sorted_values_ = 1 - sorted_values_;
  return sorted();
}

template class PairSort<std::uint64_t, std::uint32_t>;

}  // namespace mote::engine
