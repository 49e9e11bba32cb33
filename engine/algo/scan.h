#pragma once

#include <cstdint>

#include "engine/exec/policy.h"
#include "engine/memory/buffer.h"

namespace mote::engine {

/// Replaces numbers in device memory by the sums of those before them. Uses CUB.
class ExclusiveScan {
 public:
  explicit ExclusiveScan(Index largest_count);
  static std::uint64_t bytes(Index count);

  /// Does not wait.
  void run(const Cuda& exec, std::uint32_t* numbers, Index count);

 private:
  Buffer<unsigned char, Device> scratch_;
};

}  // namespace mote::engine
