#pragma once

#include <cstddef>
#include <span>

#include "engine/exec/policy.h"

namespace mote::engine {

/// Bytes to copy to a device's memory from memory that it can read: its own, or that of a device
/// whose memory it reads over a link. Addresses and size are multiples of 4.
struct Segment {
  void* to;
  const void* from;
  std::size_t bytes;
};

/// Copies segments that do not overlap, many by one kernel: a copy of its own would take each some
/// microseconds. Does not wait. Defined in builds with CUDA only.
void copy_segments(const Cuda& exec, std::span<const Segment> segments);

}  // namespace mote::engine
