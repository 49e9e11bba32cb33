#pragma once

#include <cstdint>

#include "engine/exec/policy.h"
#include "engine/memory/buffer.h"

namespace mote::engine {

/// Run time of a persistent kernel by the device's clock. The host's clock would include the time
/// that the kernel waited to start: simulations that share a GPU would each count the others' time
/// as their own, and the one with the shorter slices would shorten them further and further.
class KernelClock {
 public:
  KernelClock() : device_(2), host_(2) { host_.data()[0] = host_.data()[1] = 0; }

  /// Where the kernel stores the times of its start and end [ns].
  std::uint64_t* timestamps() { return device_.data(); }
  /// Enqueues their copy to the host.
  void fetch(const Cuda& exec) { copy_to_host(host_.data(), device_.data(), 2, exec.stream); }
  /// Valid once the fetched copy has been waited for; 0 where the device has no clock.
  double seconds() const { return 1e-9 * static_cast<double>(host_.data()[1] - host_.data()[0]); }

 private:
  Buffer<std::uint64_t, Device> device_;
  Buffer<std::uint64_t, Pinned> host_;
};

}  // namespace mote::engine
