#include "engine/algo/scan.h"

#include <cub/device/device_scan.cuh>

#include "engine/exec/cuda_check.h"

namespace mote::engine {

std::uint64_t ExclusiveScan::bytes(Index count) {
  std::size_t bytes = 0;
  std::uint32_t* const none = nullptr;
  cuda_check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, none, none, count), "size of a scan");
  return bytes;
}

ExclusiveScan::ExclusiveScan(Index largest_count)
    : scratch_(static_cast<Index>(bytes(largest_count))) {}

void ExclusiveScan::run(const Cuda& exec, std::uint32_t* numbers, Index count) {
  std::size_t bytes = scratch_.bytes();
  cuda_check(
      cub::DeviceScan::ExclusiveSum(scratch_.data(), bytes, numbers, numbers, count, exec.stream),
      "scan");
}

}  // namespace mote::engine
