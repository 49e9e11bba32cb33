#pragma once

#include "engine/exec/policy.h"

namespace mote::engine {

/// Multiprocessors that the blocks of one cooperative launch can have at once: fewer than the
/// device has where the process has a share of it (MPS), 0 where such launches are refused.
/// Attributes do not say: it is tried, once a device. Not while a graph is recorded. Defined in
/// builds with CUDA only.
int multiprocessors_together(const Cuda& exec);

}  // namespace mote::engine
