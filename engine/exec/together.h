#pragma once

#include "engine/exec/policy.h"

namespace mote::engine {

/// Number of multiprocessors that a cooperative launch can use: fewer than the device has where the
/// process may use only part of it (MPS); 0 where such launches fail. The device's attributes do
/// not tell, so test launches find out, once per device; not during stream capture. Defined in
/// builds with CUDA only.
int cooperative_multiprocessors(const Cuda& exec);

}  // namespace mote::engine
