#pragma once

#include <cstdint>

#include "engine/exec/policy.h"
#include "engine/memory/buffer.h"

namespace mote::sim {

/// How long a kernel of whole steps was at work, by the device's own clock. The host's would count
/// what the kernel waited for: simulations that share a GPU would each take the others' time for
/// that of their own steps, and the one that once had the shorter slices would take ever shorter
/// ones.
class KernelClock {
 public:
  KernelClock() : device_(2), host_(2) { host_.data()[0] = host_.data()[1] = 0; }

  /// For a kernel: where to leave when it began and when it ended, in nanoseconds.
  std::uint64_t* places() { return device_.data(); }
  /// Enqueues the reading of them.
  void fetch(const engine::Cuda& exec) {
    engine::copy_to_host(host_.data(), device_.data(), 2, exec.stream);
  }
  /// Behind a wait for what was fetched; 0 where the device has no clock.
  double seconds() const { return 1e-9 * static_cast<double>(host_.data()[1] - host_.data()[0]); }

 private:
  engine::Buffer<std::uint64_t, engine::Device> device_;
  engine::Buffer<std::uint64_t, engine::Pinned> host_;
};

}  // namespace mote::sim
