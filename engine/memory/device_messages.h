#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/exec/policy.h"
#include "engine/exec/ranks.h"

namespace mote::engine {

/// Lets the devices of ranks that are threads of one process copy directly from each other, where
/// the links between them allow it; elsewhere the driver copies through host memory. Called by all
/// ranks, before they allocate what they exchange.
void allow_direct_copies(const Cuda& exec);

/// True if kernels of all ranks can run at the same time and access each other's memory, which
/// allow_direct_copies() has allowed: those of threads of one process. Not on the emulated GPU,
/// which runs one kernel at a time. Collective.
bool can_run_together(const Cuda& exec);

/// Messages in device memory between the ranks of a policy, as those of Ranks::exchange are in host
/// memory. Ranks that are threads of one process copy them from each other's devices
/// (allow_direct_copies), and their streams wait for each other; between processes they pass
/// through host memory. Defined in builds with CUDA only.
class DeviceMessages {
 public:
  /// Adds a message to another rank, or from it. Between two ranks, the k-th message sent is the
  /// k-th received, and has its size.
  void send(int to, std::span<const std::byte> bytes);
  void receive(int from, std::span<std::byte> bytes);

  /// Exchanges the messages added so far: later work of the policy's stream finds those received,
  /// and may overwrite those sent. Waits for the device between processes alone. Called by all
  /// ranks.
  void run(const Cuda& exec);

 private:
  void copy_between_devices(const Cuda& exec);
  void pass_through_host(const Cuda& exec);

  std::vector<Ranks::Outgoing> sent_;
  std::vector<Ranks::Incoming> received_;
};

}  // namespace mote::engine
