#pragma once

#include <emulated/execution.h>

#include <cstddef>

/// Asynchronous copies. The data arrives at the wait and no earlier, and the destination is
/// overwritten with garbage at the start: this exposes a missing wait, and a copy that starts while
/// other threads still read.

inline void __pipeline_memcpy_async(void* to, const void* from, std::size_t bytes,
                                    std::size_t zeros = 0) {
  emulator::start_copy(to, from, bytes, zeros);
}
inline void __pipeline_commit() {
  emulator::commit_copies();
}
/// Waits for all groups except the last `pending_groups`.
inline void __pipeline_wait_prior(std::size_t pending_groups) {
  emulator::wait_for_copies(pending_groups);
}
