#pragma once

#include "engine/exec/parallel.h"
#include "engine/exec/policy.h"

namespace mote::engine {

/// Calls `use(i)` for each i in [0, count), in any order: calls must write disjoint data. On a GPU
/// (for_each.cuh) `use` is copied to the device, and the call does not wait.
template <class Use>
void for_each(const Cpu& exec, Index count, const Use& use) {
  parallel_chunks(exec.threads, count, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) use(i);
  });
}

}  // namespace mote::engine
