#include "engine/algo/sort.h"

#include <cub/device/device_radix_sort.cuh>

#include "engine/exec/cuda_check.h"

namespace mote::engine {
namespace {

std::size_t scratch_bytes(Index count) {
  std::size_t bytes = 0;
  const double* none = nullptr;
  double* out = nullptr;
  cuda_check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, none, out, none, out, count),
             "size of a sort");
  return bytes;
}

}  // namespace

PairSort::PairSort(Index largest_count)
    : scratch_(static_cast<Index>(scratch_bytes(largest_count))) {
  for (int k = 0; k < 2; ++k) {
    keys_[k] = Buffer<double, Device>(largest_count);
    values_[k] = Buffer<double, Device>(largest_count);
  }
}

std::uint64_t PairSort::bytes(Index count) {
  return 4 * static_cast<std::uint64_t>(count) * sizeof(double) + scratch_bytes(count);
}

PairSort::Sorted PairSort::run(const Cuda& exec, Index count) {
  std::size_t bytes = scratch_.bytes();
  cuda_check(cub::DeviceRadixSort::SortPairs(scratch_.data(), bytes, keys_[0].data(),
                                             keys_[1].data(), values_[0].data(), values_[1].data(),
                                             count, 0, 64, exec.stream),
             "sort");
  return {keys_[1].data(), values_[1].data()};
}

}  // namespace mote::engine
